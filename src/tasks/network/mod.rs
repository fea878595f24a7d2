//! Training a network round by round: the common part of `train-classifier` and `train-q`.
//!
//! ```text
//! DIR/manifest.json          settings and, at the end, the result
//!     checkpoint.json        the trainer after its last whole round or window
//!     checkpoints/           the network after every round, and the mean of the last ones
//!     checkpoints.csv        the validation results of each network, and which one is published
//!     metrics.jsonl          one line per round
//!     tensorboard/           the metrics for TensorBoard
//!     artifact.safetensors   the published network, written last
//!     ran-away.csv           only if training diverged: the batch at which it did
//! ```
//!
//! A round is an epoch over the same rows (in windows if they don't fit into memory) or an episode
//! with new rows. Validation games decide which round's network is published. A process that is
//! killed loses the round or window in progress, or the final validation of the best networks;
//! running the same settings on the same folder repeats the lost work and produces identical files.

mod answer;
mod choice;
mod metrics;
mod networks;
mod open_training;
mod plan;
mod settings;
mod source;
mod tables;
mod tensorboard;
mod validation;

use serde::{Deserialize, Serialize};

pub(super) use answer::{finished_before, train};
pub(super) use networks::{loaded, read_network};
pub(super) use plan::{Task, TrainingPlan, note_windows};
pub(super) use settings::Learning;
pub use settings::NetworkSettings;
pub(super) use source::RowSource;
pub(super) use tables::{DataFolders, Tables};
pub use validation::ValidationGames;

use crate::training_records::{Figures, Metrics, Round, RoundCost};
use mineflow_learn::train::RowsProgress;

/// The result of a training run, which is identical for the same settings on any number of threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
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

/// The way in which a training run ended.
#[derive(Clone, PartialEq, Debug)]
pub enum TrainingEnd {
    Finished(TrainingResult),
    /// The training run was already finished, and nothing was done.
    AlreadyFinished(TrainingResult),
    /// The training run was interrupted. The fields count the whole rounds, and the windows of the
    /// next round, that are saved.
    Stopped {
        rounds: u64,
        windows: usize,
    },
}

/// Progress of a training run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingProgress {
    pub round: Round,
    /// Number of the round, from 1.
    pub number: u64,
    pub rounds: u64,
    pub activity: Activity,
}

/// The current activity of a training run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Activity {
    /// Making or reading rows.
    GettingRows,
    Learning {
        progress: RowsProgress,
        rows_per_second: f64,
    },
    /// Playing validation games.
    Playing { played: u64, games: u64 },
    /// The round is complete and saved.
    Done {
        metrics: Metrics,
        cost: RoundCost,
        /// Estimated time of the remaining rounds, in seconds.
        seconds_left: f64,
    },
    /// Playing the games of the final validation with one of the best networks.
    Choosing {
        /// Number of the candidate, from 1.
        candidate: usize,
        candidates: usize,
        played: u64,
        games: u64,
    },
}

/// A callback that receives the progress of the training run many times a second.
pub type Watch<'a> = dyn FnMut(TrainingProgress) + 'a;
