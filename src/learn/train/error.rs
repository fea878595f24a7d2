//! Errors of training.

use super::{network::Layers, rows::RowsError};
use mineflow_model::Fault;

/// Errors of network training.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    #[error(transparent)]
    Rows(#[from] RowsError),
    #[error("the {what} of batch {batch} is not a finite number: training ran away")]
    Diverged {
        what: &'static str,
        /// Index of the batch within the epoch, from 0.
        batch: usize,
        /// The batch's rows, as indices into the table.
        rows: Vec<u32>,
    },
    #[error("the checkpoint belongs to another network: {0}")]
    Checkpoint(String),
    #[error(
        "the artifact, read back, gives {found} for held-out row {row} where the trainer gives {expected}"
    )]
    Parity {
        row: usize,
        found: f32,
        expected: f32,
    },
    #[error("the network can't be written: it {0}")]
    Artifact(#[from] Fault),
    #[error("the network to start from has the layers {found}, and this training has {expected}")]
    OtherLayers { found: Layers, expected: Layers },
    #[error(
        "the schedule `{schedule}` takes at least {least} steps, and the training has at most {steps}"
    )]
    Schedule {
        schedule: String,
        least: usize,
        steps: usize,
    },
    #[error("can't start {0} threads")]
    Threads(usize, #[source] rayon::ThreadPoolBuildError),
}

impl TrainError {
    /// Returns a suggestion for the user, if there is one.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Rows(error) => error.help(),
            Self::Diverged { .. } => Some("give a smaller --learning-rate"),
            Self::Checkpoint(_) => Some("give another --out"),
            Self::OtherLayers { .. } => {
                Some("leave out --layers, or start from a network that has them")
            }
            Self::Schedule { .. } => Some("give shorter parts, or train for more rounds"),
            Self::Parity { .. } | Self::Artifact(_) | Self::Threads(..) => None,
        }
    }
}
