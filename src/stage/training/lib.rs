//! The stages that train models: `train-trees`, `train-ranker`, `train-classifier`, `train-q`, `fit-alpha`.
//!
//! They take rows from folders of `generate` or from games of their own, and write artifacts, checkpoints and metrics. They name no
//! crate that learns: that is the work of `mineflow_train`.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Only for the program.
#![doc(hidden)]

mod boosting;
pub mod fit_alpha;
mod judgement;
pub mod network;
pub mod train_classifier;
pub mod train_q;
pub mod train_ranker;
pub mod train_trees;

use mineflow_data::ReadLimits;
use mineflow_stage::definition::Context;

/// What reading of rows may take in this context.
pub(crate) fn read_limits<'a>(context: &Context<'a>) -> ReadLimits<'a> {
    ReadLimits { stop: context.stop, memory: context.memory }
}
