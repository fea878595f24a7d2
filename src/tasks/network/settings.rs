//! The settings of network training, and what they come to in their context.

use std::num::{NonZeroU32, NonZeroU64};
use std::path::PathBuf;

use anyhow::ensure;

use super::{DataFolders, Task};
use crate::Context;
use crate::as_text;
use crate::values::Switch;
use mineflow_learn::data::{Drawn, ExtraMemory, Windows};
use mineflow_learn::train::{Device, Schedule, TrainerSettings, classifier, q};
use mineflow_model::{FeatureSet, Metadata};
use mineflow_rng::Seed;
use serde::Serialize;

/// The share of the rounds over which the learning rate falls: of epochs, and of the episodes of an iterative training.
const DECAY: f64 = 1.0;
const ITERATIVE_DECAY: f64 = 0.5;

/// How a network is to learn, whatever it learns.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct NetworkSettings {
    /// Turn the rows by the eight symmetries of the board, drawn for each: on or off
    #[arg(long, value_name = "SWITCH", default_value_t = Switch(true))]
    #[serde(serialize_with = "as_text::one")]
    pub symmetries: Switch,
    /// With --data: learn from this many rows at a time, of shards in an order drawn for every epoch [default: all of them,
    /// or the largest power of two that fits into --memory]
    #[arg(
        long,
        value_name = "ROWS",
        requires = "data",
        conflicts_with = "iterative"
    )]
    pub window: Option<NonZeroU64>,
    #[arg(long, value_name = "N", help = format!(
        "Rows a step [default: {} for a classifier, {} for a Q-network]", classifier::BATCH, q::BATCH
    ))]
    pub batch: Option<NonZeroU32>,
    /// Factor of the optimiser's steps
    #[arg(long, value_name = "R", default_value_t = 0.001)]
    pub learning_rate: f64,
    #[arg(long, value_name = "RATIO", help = format!(
        "Share of the rounds, the last ones, over which the learning rate falls to 0 [default: {DECAY}; with --iterative {ITERATIVE_DECAY}]"
    ))]
    pub decay: Option<f64>,
    /// Length to which the gradient of each tensor is cut back where it is longer [default: it is left as it is]
    #[arg(long, value_name = "NORM")]
    pub clip: Option<f32>,
    /// Rounds at the end, the mean of whose weights may be published too; 0 for none [default: 0; with --iterative a
    /// fifth of the episodes]
    #[arg(long, value_name = "N")]
    pub average: Option<u32>,
    /// Validation games after every round, the same after each, to choose the network that is published; the best
    /// play four times as many others. 0 for none: the last is published
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub eval_games: u32,
    /// What computes: ndarray (the processor), and with the features of these names flex or cuda
    #[arg(long, value_name = "DEVICE", default_value_t = Device::Ndarray)]
    #[serde(serialize_with = "as_text::one")]
    pub device: Device,
    /// First check of a network: learn 16 rows by heart and keep nothing; exit code 1 if it can't
    #[arg(long)]
    pub overfit: bool,
}

impl NetworkSettings {
    /// In a context with a folder for what is learnt; `episodes` are those of an iterative training.
    pub(crate) fn begin<'a>(
        &'a self,
        episodes: Option<u32>,
        context: &'a Context<'a>,
    ) -> anyhow::Result<Learning<'a>> {
        if !self.overfit {
            context.folder()?;
        }
        Ok(Learning {
            settings: self,
            context,
            episodes,
        })
    }

    /// Checks that a network can learn by these numbers from these folders.
    pub(crate) fn check(&self, data: &[PathBuf]) -> anyhow::Result<()> {
        ensure!(
            self.window.is_none() || !data.is_empty(),
            "--window takes --data"
        );
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
}

/// How a network learns: its settings in their context.
#[derive(Clone, Copy)]
pub(crate) struct Learning<'a> {
    pub(super) settings: &'a NetworkSettings,
    pub(crate) context: &'a Context<'a>,
    /// Of an iterative training.
    pub(super) episodes: Option<u32>,
}

impl Learning<'_> {
    /// The share of the rounds, the last ones, over which the learning rate falls to 0.
    pub(super) fn decay(&self) -> f64 {
        self.settings.decay.unwrap_or(if self.episodes.is_some() {
            ITERATIVE_DECAY
        } else {
            DECAY
        })
    }

    /// Rounds at the end the mean of whose weights may be published too; below 2 for none.
    pub(super) fn average(&self) -> u32 {
        self.settings
            .average
            .unwrap_or(self.episodes.map_or(0, |episodes| episodes / 5))
    }

    /// The seed of the training; nothing that is played to judge a version has a seed below it.
    pub(crate) fn root(&self) -> Seed {
        Seed::new(self.context.seed).child("training", 0)
    }

    /// A trainer of this many rounds.
    pub(super) fn trainer(&self, task: &Task, rounds: u64) -> TrainerSettings {
        let NetworkSettings {
            batch,
            learning_rate,
            clip,
            device,
            ..
        } = *self.settings;
        TrainerSettings {
            network: task.network,
            optimizer: task.optimizer,
            schedule: Schedule {
                learning_rate,
                rounds,
                decay: self.decay(),
            },
            clip,
            batch: batch.map_or(task.batch, NonZeroU32::get) as usize,
            device,
            seed: self.root(),
            threads: self.context.threads,
        }
    }

    /// The windows in which rows of `folders` are learnt from; `None` for all together.
    pub(super) fn windows(
        &self,
        folders: &DataFolders,
        set: &'static FeatureSet,
    ) -> anyhow::Result<Option<Windows>> {
        let drawn = Drawn {
            seed: self.root().child("windows", 0),
            turned: self.settings.symmetries.0,
        };
        // An order of the rows.
        let beside = ExtraMemory {
            bytes: 4,
            held_out: 1,
        };
        Ok(folders.windows(
            set,
            self.settings.window,
            drawn,
            (self.context.memory, beside),
        )?)
    }

    /// What the artifact of a command says of itself, whatever it learns.
    pub(super) fn metadata(&self, task: &Task) -> Metadata {
        Metadata::new(task.network.features.name)
            .note("command", task.command)
            .note("seed", self.context.seed)
    }
}
