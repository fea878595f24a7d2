//! Training a network round by round: what `train-classifier` and `train-q` have in common.
//!
//! ```text
//! DIR/manifest.json          settings and, at the end, result
//!     checkpoint.json        the trainer after its last whole round
//!     metrics.jsonl          a line a round
//!     artifact.safetensors   the network, written last
//!     ran-away.csv           only after a failure: the batch that caused it
//! ```
//!
//! A round is an epoch over the same rows, or an episode with rows of its own. A process that is killed loses the round it
//! is in; the same settings on the same folder do it again and end in the same bytes.

mod course;
mod networks;
mod tables;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

pub(super) use course::{Course, settings};
pub(super) use networks::{location_score, read_network, rule};
pub(super) use tables::{DataFolder, MakeRows, Tables};

use crate::model::Metadata;
use crate::rng::Seed;
use crate::train::{Device, Network, Optimizer, Progress, TrainerSettings};

/// What a round is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// Once over the same rows.
    Epoch,
    /// Once over rows of its own, made by the network as it is.
    Episode,
}

impl Round {
    /// The word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Epoch => "epoch",
            Self::Episode => "episode",
        }
    }
}

/// How a network learns, whatever it learns.
#[derive(Clone, PartialEq, Debug)]
pub struct Learning {
    /// Rows a step.
    pub batch: usize,
    pub learning_rate: f64,
    pub device: Device,
    pub seed: u64,
    /// Results don't depend on it.
    pub threads: usize,
    /// The folder in which the training is kept.
    pub out: PathBuf,
}

/// How the network plays after every round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Examination {
    /// The version that asks the network.
    pub(super) player: &'static str,
    /// Games on the beginner's board, the same after every round; 0 for none.
    pub games: u32,
}

/// A line of `metrics.jsonl`. Rates and seconds are the machine's, all else is the same for the same settings.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Metrics {
    /// `epoch` or `episode`.
    pub round: &'static str,
    /// Counted from 1.
    pub number: u64,
    /// Steps since the beginning.
    pub steps: usize,
    /// Rows learnt from in this round.
    pub rows: usize,
    /// Mean over the round, each batch before it was learnt from.
    pub loss: f64,
    /// Mean over rows of other games, after the round.
    pub validation_loss: f64,
    /// Of the games on the examination's board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub win_ratio: Option<f64>,
    /// Rows learnt from per second of learning.
    pub rows_per_second: f64,
    /// Seconds of the whole round.
    pub seconds: f64,
}

/// What came of a training; the same for the same settings on any number of threads.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingResult {
    /// SHA-256 of `artifact.safetensors`.
    pub sha256: String,
    pub steps: usize,
    #[serde(flatten)]
    pub last: RoundResult,
}

/// What came of a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RoundResult {
    /// Rows learnt from since the beginning.
    pub rows: u64,
    pub loss: f64,
    pub validation_loss: f64,
    pub win_ratio: Option<f64>,
    /// The largest difference between the network as it was read back and the trainer's own forward pass.
    pub largest_difference: f64,
}

/// How a training ended.
#[derive(Clone, PartialEq, Debug)]
pub enum TrainingEnd {
    Finished(TrainingResult),
    /// It was finished before; nothing was done.
    AlreadyFinished(TrainingResult),
    /// It was asked to stop after so many whole rounds, which are kept.
    Stopped {
        rounds: u64,
    },
}

/// How far a training is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainingProgress {
    pub round: Round,
    /// Counted from 1.
    pub number: u64,
    pub rounds: u64,
    pub doing: Doing,
}

/// What a training is at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Doing {
    /// Making or reading rows.
    GettingRows,
    Learning {
        progress: Progress,
        rows_per_second: f64,
    },
    /// Playing the games of the examination.
    Playing {
        played: u64,
        games: u64,
    },
}

/// Is told how far it is, many times a second.
pub type Watch<'a> = dyn FnMut(TrainingProgress) + 'a;

impl Learning {
    /// The seed of the training; nothing that is played to judge a version has a seed below it.
    pub(super) fn root(&self) -> Seed {
        Seed::new(self.seed).child("training", 0)
    }

    pub(super) fn trainer(&self, network: Network, optimizer: Optimizer) -> TrainerSettings {
        let Self { batch, learning_rate, device, .. } = *self;
        TrainerSettings { network, optimizer, learning_rate, batch, device, seed: self.root() }
    }

    /// What the artifact says of itself, whatever it learns.
    pub(super) fn metadata(&self, command: &str, features: &str) -> Metadata {
        Metadata::new(features).note("command", command).note("seed", self.seed)
    }
}
