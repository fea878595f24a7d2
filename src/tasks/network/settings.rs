//! Hyperparameters of network training, and their resolved values.

use std::num::NonZeroU32;
use std::path::PathBuf;

use anyhow::ensure;

use super::{Mode, Task};
use crate::as_text;
use crate::{Context, DataArgs, train_classifier, train_q};
use mineflow_learn::data::{DataFolders, Drawn, ExtraMemory, Windows};
use mineflow_learn::train::{Device, Schedule, TrainerSettings, classifier, q};
use mineflow_rng::Seed;
use serde::Serialize;

/// The default share of epochs over which the learning rate decays.
const DECAY: f64 = 1.0;
/// The default share of episodes over which the learning rate decays in iterative training.
const ITERATIVE_DECAY: f64 = 0.5;

/// Hyperparameters of every network training.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NetworkSettings {
    #[command(flatten)]
    #[serde(flatten)]
    pub folders: DataArgs,
    #[arg(long, value_name = "N", conflicts_with = "iterative", help = format!(
        "Set the number of epochs over the same rows [default: {} for a classifier, {} for a Q-network]",
        train_classifier::EPOCHS, train_q::EPOCHS
    ))]
    pub epochs: Option<NonZeroU32>,
    /// Train iteratively: every episode has new games, played with the current network
    #[arg(long, conflicts_with = "data")]
    pub iterative: bool,
    /// With --iterative: start from this network, a file or the folder of a training [default: for
    /// a Q-network, the single-pass network that 6.5 loads]
    #[arg(long, value_name = "FILE", requires = "iterative")]
    pub from: Option<PathBuf>,
    #[arg(long, value_name = "N", requires = "iterative", help = format!(
        "With --iterative: set the number of episodes [default: {} for a classifier, {} for a Q-network]",
        train_classifier::EPISODES, train_q::EPISODES
    ))]
    pub episodes: Option<NonZeroU32>,
    #[arg(long, value_name = "N", help = format!(
        "Set the batch size in rows [default: {} for a classifier, {} for a Q-network]", classifier::BATCH, q::BATCH
    ))]
    pub batch: Option<NonZeroU32>,
    /// Set the learning rate
    #[arg(long, value_name = "R", default_value_t = 0.001)]
    pub learning_rate: f64,
    #[arg(long, value_name = "RATIO", help = format!(
        "Decay the learning rate to 0 over this share of the rounds, at the end [default: {DECAY}; with --iterative {ITERATIVE_DECAY}]"
    ))]
    pub decay: Option<f64>,
    /// Clip the gradient of each tensor to this norm [default: no clipping]
    #[arg(long, value_name = "NORM")]
    pub clip: Option<f32>,
    /// Average the weights of the last N rounds as one more candidate for publication; 0 for none
    /// [default: 0; with --iterative a fifth of the episodes]
    #[arg(long, value_name = "N")]
    pub average: Option<u32>,
    /// Play N validation games after every round to choose the network to publish; the best
    /// networks then play 4 N further games each. With 0, the last network is published
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub eval_games: u32,
    /// Choose the compute device: ndarray (CPU); flex or cuda if built with the Cargo feature of
    /// that name
    #[arg(long, value_name = "DEVICE", default_value_t = Device::Ndarray)]
    #[serde(serialize_with = "as_text::one")]
    pub device: Device,
}

impl NetworkSettings {
    /// Combines the settings with the mode and the context of the stage, which needs an output
    /// folder.
    pub(crate) fn begin<'a>(
        &'a self,
        mode: Mode,
        context: &'a Context<'a>,
    ) -> anyhow::Result<Learning<'a>> {
        context.folder()?;
        Ok(Learning {
            settings: self,
            context,
            mode,
        })
    }

    /// Checks that the hyperparameters are valid and belong to the mode.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        self.folders.check()?;
        self.check_iterative("from", self.from.is_some())?;
        self.check_iterative("episodes", self.episodes.is_some())?;
        let rate = self.learning_rate;
        ensure!(
            rate > 0.0 && rate.is_finite(),
            "--learning-rate {rate} is not a number above 0"
        );
        let decay = self.decay.unwrap_or(DECAY);
        ensure!(
            (0.0..=1.0).contains(&decay),
            "--decay {decay} is not a number from 0 to 1"
        );
        let clip = self.clip.unwrap_or(1.0);
        ensure!(
            clip > 0.0 && clip.is_finite(),
            "--clip {clip} is not a number above 0"
        );
        Ok(())
    }

    /// Checks that a setting of iterative training is not given without it. Clap drops a
    /// requirement if an argument that excludes the required argument is also given.
    pub(crate) fn check_iterative(&self, name: &str, is_given: bool) -> anyhow::Result<()> {
        ensure!(self.iterative || !is_given, "--{name} takes --iterative");
        Ok(())
    }
}

/// The hyperparameters of a training run, with its mode and the context of its stage.
pub(crate) struct Learning<'a> {
    pub(super) settings: &'a NetworkSettings,
    pub(crate) context: &'a Context<'a>,
    pub(crate) mode: Mode,
}

impl Learning<'_> {
    /// Returns the share of final rounds over which the learning rate decays to 0.
    fn decay(&self) -> f64 {
        self.settings.decay.unwrap_or(match self.mode {
            Mode::SinglePass { .. } => DECAY,
            Mode::Iterative { .. } => ITERATIVE_DECAY,
        })
    }

    /// Returns the number of final rounds whose weights are averaged; below 2, there is no average.
    pub(super) fn average(&self) -> u32 {
        self.settings.average.unwrap_or(match self.mode {
            Mode::SinglePass { .. } => 0,
            Mode::Iterative { episodes, .. } => episodes / 5,
        })
    }

    /// Returns the seed of the training run. No game that evaluates a player version has a seed
    /// derived from this seed.
    pub(crate) fn root(&self) -> Seed {
        Seed::new(self.context.seed).child("training", 0)
    }

    /// Returns the trainer's settings for this many rounds.
    pub(super) fn trainer(&self, task: &Task, rounds: u64) -> TrainerSettings {
        let settings = self.settings;
        TrainerSettings {
            network: task.network,
            optimizer: task.optimizer,
            schedule: Schedule {
                learning_rate: settings.learning_rate,
                rounds,
                decay: self.decay(),
            },
            clip: settings.clip,
            batch: settings.batch.map_or(task.batch, NonZeroU32::get) as usize,
            device: settings.device,
            seed: self.root(),
            threads: self.context.threads,
        }
    }

    /// Plans the windows in which the rows of folders are read. Returns `None` if all rows are read
    /// at once.
    pub(super) fn windows(&self, folders: &DataFolders) -> anyhow::Result<Option<Windows>> {
        let drawn = Drawn {
            seed: self.root().child("windows", 0),
            turned: true,
        };
        // The trainer needs memory for a permutation of the rows.
        let beside = ExtraMemory {
            bytes: 4,
            held_out: 1,
        };
        let memory = (self.context.memory, beside);
        Ok(Windows::plan(
            folders,
            self.settings.folders.window,
            drawn,
            memory,
        )?)
    }
}
