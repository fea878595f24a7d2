//! Errors of training.

use mineflow_model::Fault;

/// Errors of network training.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TrainError {
    #[error("there are no {0} rows")]
    NoRows(&'static str),
    #[error("the {split} rows have {found} numbers, the network reads {expected} ({features})")]
    Width {
        split: &'static str,
        found: usize,
        expected: usize,
        features: &'static str,
    },
    #[error("{split} row {row}, {column}: {value} is not a number to learn from")]
    NotFinite {
        split: &'static str,
        row: usize,
        column: &'static str,
        value: f32,
    },
    #[error("{split} row {row}: the target {value} is not {expected}")]
    Target {
        split: &'static str,
        row: usize,
        value: f32,
        expected: &'static str,
    },
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
    #[error("the network to start from has other layers than {0}")]
    OtherLayers(&'static str),
    #[error("can't start {0} threads")]
    Threads(usize, #[source] rayon::ThreadPoolBuildError),
}

impl TrainError {
    /// Returns a suggestion for the user, if there is one.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::NoRows(_) => Some(
                "generate more games; a game is in one split only, and thus one game is never enough",
            ),
            Self::Width { .. } | Self::NotFinite { .. } | Self::Target { .. } => {
                Some("generate the data again")
            }
            Self::Diverged { .. } => Some("give a smaller --learning-rate"),
            Self::Checkpoint(_) => Some("give another --out"),
            Self::OtherLayers(_) => Some("give an artifact that this command made"),
            Self::Parity { .. } | Self::Artifact(_) | Self::Threads(..) => None,
        }
    }
}
