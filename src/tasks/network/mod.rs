//! Training a network round by round: what `train-classifier` and `train-q` have in common.
//!
//! ```text
//! DIR/manifest.json          settings and, at the end, result
//!     checkpoint.json        the trainer after its last whole round or window
//!     checkpoints/           the network after every round, and the mean of the last ones
//!     checkpoints.csv        what each of them is worth, and which is published
//!     metrics.jsonl          a line a round
//!     tensorboard/           the same for TensorBoard
//!     artifact.safetensors   the network that is published, written last
//!     ran-away.csv           only after a failure: the batch that caused it
//! ```
//!
//! A round is an epoch over the same rows, in windows where they don't fit into memory, or an episode with rows of its own. Which round's network is published is
//! decided by validation games. A process that is killed loses the round or the window it is in, or the second look at the best; the
//! same settings on the same folder do it again and end in the same bytes.

mod answer;
mod choice;
mod examination;
mod metrics;
mod networks;
mod open_training;
mod plan;
mod settings;
mod source;
mod tables;
mod tensorboard;

use serde::{Deserialize, Serialize};

pub(super) use answer::{finished_before, train};
pub use examination::Examination;
pub(super) use networks::{location_score, read_network, rule};
pub(super) use open_training::ARTIFACT;
pub(super) use plan::{Task, TrainingPlan, note_windows};
pub(super) use settings::Learning;
pub use settings::NetworkSettings;
pub(super) use source::RowSource;
pub(super) use tables::{DataFolders, Tables};

use crate::training_records::{Figures, Metrics, Round, RoundCost};
use mineflow_learn::train::RowsProgress;

/// What came of a training; the same for the same settings on any number of threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingResult {
    /// SHA-256 of `artifact.safetensors`.
    pub sha256: String,
    /// Which network that is: the number of its round, or `average` for the mean of the last ones.
    pub published: String,
    /// Steps of the whole training.
    pub steps: usize,
    /// Rows learnt from in the whole training.
    pub rows: u64,
    /// Of the last round.
    pub loss: f64,
    /// Of the network that is published; its games are those of the second look, if there was one.
    #[serde(flatten)]
    pub figures: Figures,
}

/// How a training ended.
#[derive(Clone, PartialEq, Debug)]
pub enum TrainingEnd {
    Finished(TrainingResult),
    /// It was finished before; nothing was done.
    AlreadyFinished(TrainingResult),
    /// It was asked to stop; these whole rounds and these windows of the next one are kept.
    Stopped {
        rounds: u64,
        windows: usize,
    },
}

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingProgress {
    pub round: Round,
    /// Counted from 1.
    pub number: u64,
    pub rounds: u64,
    pub activity: Activity,
}

/// What a training is at.
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
    /// The round is whole and kept.
    Done {
        metrics: Metrics,
        cost: RoundCost,
        /// What the other rounds take if they take as long as those so far.
        seconds_left: f64,
    },
    /// Playing the games of the second look with one of the best networks.
    Choosing {
        /// Counted from 1.
        candidate: usize,
        candidates: usize,
        played: u64,
        games: u64,
    },
}

/// Called with the progress, many times a second.
pub type Watch<'a> = dyn FnMut(TrainingProgress) + 'a;
