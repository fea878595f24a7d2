//! Training a network round by round: the common part of `train-network`, `train-classifier` and
//! `train-q`.
//!
//! ```text
//! DIR/manifest.json          settings and, at the end, the result
//!     checkpoint.json        the trainer after its last whole round or window
//!     checkpoints/           the network after every round, and the mean of the last ones; of
//!                            `train-network` only the best five, and what is needed to continue
//!     checkpoints.csv        the validation results of each network, and which one is published
//!     metrics.jsonl          one line per round
//!     tensorboard/           the metrics for TensorBoard
//!     curve.svg              the losses after every round
//!     artifact.safetensors   the published network, written last
//!     ran-away.csv           only if training diverged: the batch at which it did
//! ```
//!
//! A round is an epoch over the same rows (in windows if they don't fit into memory) or an episode
//! with new rows. Validation games decide which round's network is published, or for `train-network`
//! without games the validation loss. A process that is killed loses the round or window in
//! progress, or the final validation of the best networks; running the same settings on the same
//! folder repeats the lost work and produces identical files.

mod answer;
mod choice;
mod folders;
mod mode;
mod open_training;
mod plan;
mod settings;
mod state;
pub(super) mod tensorboard;
mod validation;

use serde::{Deserialize, Serialize};

pub(super) use answer::finished_before;
pub(super) use folders::{hash, open_rows, setting, setting_text};
pub(super) use mode::{Mode, loaded, read_network};
pub(super) use plan::{OwnGames, RowSource, Task, TrainingPlan, note_windows};
pub(super) use settings::Learning;
pub use settings::{NetworkSettings, PaperSettings};

use crate::training_records::Figures;

/// The result of a training run, which is identical for the same settings on any number of threads.
#[derive(Serialize, Deserialize)]
pub struct TrainingResult {
    /// SHA-256 of `artifact.safetensors`.
    pub sha256: String,
    /// The published network: the number of its round, or `average` for the mean of the last
    /// rounds.
    pub published: String,
    /// Number of optimiser steps in the whole training run.
    pub steps: usize,
    /// Number of rows trained on in the whole training run.
    pub rows: u64,
    /// Training loss of the last round.
    pub loss: f64,
    /// Validation results of the published network. The games are those of the final validation, if
    /// the network took part in it.
    #[serde(flatten)]
    pub figures: Figures,
}
