//! The stages that train models.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod boosting;
pub mod fit_alpha;
mod judgement;
pub mod network;
pub mod train_classifier;
pub mod train_q;
pub mod train_ranker;
pub mod train_ranker_network;
pub mod train_trees;

use mineflow_data::ReadLimits;
use mineflow_stage::definition::Context;

/// What reading of rows may take in this context.
pub(crate) fn read_limits<'a>(context: &Context<'a>) -> ReadLimits<'a> {
    ReadLimits { stop: context.stop, memory: context.memory }
}
