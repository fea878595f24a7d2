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
mod tables;
mod tensorboard;

use std::num::{NonZeroU32, NonZeroU64};

use anyhow::{bail, ensure};

use serde::{Deserialize, Serialize};

pub(crate) use answer::{learnt, train};
pub use examination::Examination;
pub(super) use networks::{location_score, read_network, rule};
pub(super) use plan::{TrainingPlan, note_windows, of_data, settings};
pub(super) use settings::network_settings;
pub(super) use tables::{DataFolders, MakeRows, Tables};

use mineflow_data::{Beside, Drawn, Windows};
use mineflow_model::FeatureSet;
use mineflow_model::Metadata;
use mineflow_rng::Seed;
use mineflow_stage::definition::Context;
use mineflow_stage::training_records::{Figures, Metrics, Round, RoundCost};
use mineflow_train::{Device, Network, Optimizer, Progress, Schedule, TrainerSettings};

/// Holds that none of the settings that `setting` excludes is given.
pub(super) fn excludes(setting: &str, others: &[(&str, bool)]) -> anyhow::Result<()> {
    let given = others.iter().find(|(_, given)| *given);
    given.map_or(Ok(()), |(other, _)| bail!("--{other} cannot be used with --{setting}"))
}

/// How a network is to learn, as far as that is said.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct AskedLearning {
    pub(super) window: Option<NonZeroU64>,
    pub(super) batch: Option<NonZeroU32>,
    pub(super) learning_rate: f64,
    pub(super) decay: Option<f64>,
    pub(super) clip: Option<f32>,
    pub(super) average: Option<u32>,
    pub(super) device: Device,
}

impl AskedLearning {
    /// Holds that a network can learn by these numbers.
    pub(super) fn check(self) -> anyhow::Result<()> {
        let rate = self.learning_rate;
        ensure!(rate > 0.0 && rate.is_finite(), "--learning-rate {rate} is not a number above 0");
        let decay = self.decay.unwrap_or(0.0);
        ensure!((0.0..=1.0).contains(&decay), "--decay {decay} is not a number from 0 to 1");
        let clip = self.clip.unwrap_or(1.0);
        ensure!(clip > 0.0 && clip.is_finite(), "--clip {clip} is not a number above 0");
        Ok(())
    }

    /// With this number of rows a step where none is said; `episodes` are those of an iterative training.
    pub(super) fn in_context(self, batch: u32, episodes: Option<u32>, context: &Context<'_>) -> Learning {
        Learning {
            window: self.window,
            batch: self.batch.map_or(batch, NonZeroU32::get) as usize,
            learning_rate: self.learning_rate,
            decay: self.decay.unwrap_or(if episodes.is_some() { 0.5 } else { 1.0 }),
            clip: self.clip,
            average: self.average.unwrap_or(episodes.map_or(0, |episodes| episodes / 5)),
            device: self.device,
            seed: context.seed,
            threads: context.threads,
            memory: context.memory,
        }
    }
}

/// How a network learns, whatever it learns.
#[derive(Clone, PartialEq, Debug)]
pub struct Learning {
    /// Rows of data folders that are learnt from at a time, if that is said.
    pub window: Option<NonZeroU64>,
    /// Rows a step.
    pub batch: usize,
    pub learning_rate: f64,
    /// The share of the rounds, the last ones, over which the learning rate falls to 0.
    pub decay: f64,
    /// The length to which the gradient of each tensor is cut back where it is longer.
    pub clip: Option<f32>,
    /// Rounds at the end the mean of whose weights may be published too; below 2 for none.
    pub average: u32,
    pub device: Device,
    pub seed: u64,
    /// Results don't depend on it.
    pub threads: usize,
    /// Bytes of memory that rows of a data folder may take.
    pub memory: u64,
}

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
        progress: Progress,
        rows_per_second: f64,
    },
    /// Playing validation games.
    Playing {
        played: u64,
        games: u64,
    },
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

/// Is told how far it is, many times a second.
pub type Watch<'a> = dyn FnMut(TrainingProgress) + 'a;

impl Learning {
    /// The seed of the training; nothing that is played to judge a version has a seed below it.
    pub(super) fn root(&self) -> Seed {
        Seed::new(self.seed).child("training", 0)
    }

    pub(super) fn trainer(&self, network: Network, optimizer: Optimizer) -> TrainerSettings {
        let Self { batch, learning_rate, decay, clip, device, threads, .. } = *self;
        let schedule = Schedule { learning_rate, rounds: 1, decay };
        TrainerSettings { network, optimizer, schedule, clip, batch, device, seed: self.root(), threads }
    }

    /// The windows in which rows of `folders` are learnt from; `None` for all together.
    pub(super) fn windows(
        &self,
        folders: &DataFolders,
        set: &'static FeatureSet,
        turned: bool,
    ) -> anyhow::Result<Option<Windows>> {
        let drawn = Drawn { seed: self.root().child("windows", 0), turned };
        // An order of the rows.
        let beside = Beside { bytes: 4, held_out: 1 };
        Ok(folders.windows(set, self.window, drawn, (self.memory, beside))?)
    }

    /// What the artifact says of itself, whatever it learns.
    pub(super) fn metadata(&self, command: &str, features: &str) -> Metadata {
        Metadata::new(features).note("command", command).note("seed", self.seed)
    }
}
