//! Hyperparameters of network training, and their resolved values.

use std::{num::NonZeroU32, path::PathBuf, sync::Arc};

use anyhow::{Result, ensure};

use super::{Mode, Task};
use crate::{
    Context, DataArgs, as_text, train_classifier, train_network, train_q, training_records::Round,
};
use mineflow_learn::{
    data::{DataFolders, Drawn, ExtraMemory, Windows},
    train::{
        CLASSIFIER, Defaults, Device, Layers, Network, Optimizer, Parts, Q, Schedule,
        TrainerSettings,
    },
};
use mineflow_model::Mlp;
use mineflow_rng::Seed;
use serde::Serialize;

/// Hyperparameters of every network training.
#[derive(clap::Args, Serialize)]
pub struct NetworkSettings {
    #[command(flatten)]
    #[serde(flatten)]
    pub folders: DataArgs,
    #[arg(long, value_name = "N", help = format!(
        "Set the number of epochs over the same rows [default: {}; {} with train-q]",
        train_network::EPOCHS, train_q::EPOCHS
    ))]
    pub epochs: Option<NonZeroU32>,
    /// Set the hidden layers from the input on, each its width and relu, tanh or linear, such as
    /// "64 relu, 64 relu" [default: table 1 or 2 of Sinha et al.; for gains "64 relu, 64 relu"; with
    /// --from those of its network]
    #[arg(long, value_name = "LAYERS")]
    #[serde(serialize_with = "as_text::optional")]
    pub layers: Option<Layers>,
    /// Choose the optimiser: adam, adamw, rmsprop or sgd [default: adam; for returns rmsprop]
    #[arg(long, value_name = "NAME")]
    #[serde(serialize_with = "as_text::optional")]
    pub optimizer: Option<Optimizer>,
    /// Set the weight decay: decoupled with adamw, otherwise an L2 penalty [default: 0; with adamw
    /// 0.0001]
    #[arg(long, value_name = "R")]
    pub weight_decay: Option<f64>,
    /// Start from this network, a file or the folder of a training
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    #[arg(long, value_name = "N", help = format!(
        "Set the batch size in rows [default: {}; for returns {}]", CLASSIFIER.batch, Q.batch
    ))]
    pub batch: Option<NonZeroU32>,
    /// Set the learning rate
    #[arg(long, value_name = "R", default_value_t = 0.001)]
    pub learning_rate: f64,
    /// Set the course of the learning rate by optimiser steps, in parts such as "warm-up 500,
    /// cosine": warm-up N, constant, linear, cosine and step, which falls to a tenth twice. Parts
    /// without a number of steps share the rest [default: linear, by rounds]
    #[arg(long, value_name = "PARTS")]
    #[serde(serialize_with = "as_text::optional")]
    pub schedule: Option<Parts>,
    /// Clip the gradient of each tensor to this norm [default: no clipping]
    #[arg(long, value_name = "NORM")]
    pub clip: Option<f32>,
    /// Average the weights of the last N rounds as one more candidate for publication; 0 for none
    /// [default: 0; with --iterative a fifth of the episodes]
    #[arg(long, value_name = "N")]
    pub average: Option<u32>,
    /// Stop after N rounds without a lower validation loss [default: never]
    #[arg(long, value_name = "N")]
    pub patience: Option<NonZeroU32>,
    /// Choose the compute device: ndarray (CPU); flex or cuda if built with the Cargo feature of
    /// that name
    #[arg(long, value_name = "DEVICE", default_value_t = Device::Ndarray)]
    #[serde(serialize_with = "as_text::one")]
    pub device: Device,
}

impl NetworkSettings {
    /// Checks that the hyperparameters are valid.
    pub(crate) fn check(&self) -> Result<()> {
        self.folders.check()?;
        let rate = self.learning_rate;
        let clip = self.clip.unwrap_or(1.0).into();
        for (name, value) in [("learning-rate", rate), ("clip", clip)] {
            ensure!(
                value > 0.0 && value.is_finite(),
                "--{name} {value} is not a number above 0"
            );
        }
        let decay = self.weight_decay.unwrap_or_default();
        ensure!(
            decay >= 0.0 && decay.is_finite(),
            "--weight-decay {decay} is not a number from 0 on"
        );
        Ok(())
    }
}

/// Hyperparameters of `train-classifier` and `train-q`, the trainings of Sinha et al.
#[derive(clap::Args, Serialize)]
pub struct PaperSettings {
    #[command(flatten)]
    #[serde(flatten)]
    pub network: NetworkSettings,
    /// Train iteratively: every episode has new games, played with the current network. --from is
    /// the network to start from [default: for a Q-network, the single-pass network that 6.5 loads]
    #[arg(long, conflicts_with_all = ["data", "epochs"])]
    pub iterative: bool,
    #[arg(long, value_name = "N", requires = "iterative", help = format!(
        "With --iterative: set the number of episodes [default: {} for a classifier, {} for a Q-network]",
        train_classifier::EPISODES, train_q::EPISODES
    ))]
    pub episodes: Option<NonZeroU32>,
    #[arg(long, value_name = "RATIO", conflicts_with = "schedule", help = format!(
        "Decay the learning rate to 0 over this share of the rounds, at the end [default: {}; with --iterative {}]",
        Self::DECAY, Self::ITERATIVE_DECAY
    ))]
    pub decay: Option<f64>,
    /// Play N validation games after every round to choose the network to publish; the best
    /// networks then play 4 N further games each. With 0, the last network is published
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub eval_games: u32,
}

impl PaperSettings {
    /// The default share of epochs over which the learning rate decays.
    pub(crate) const DECAY: f64 = 1.0;
    /// The default share of episodes over which the learning rate decays in iterative training.
    const ITERATIVE_DECAY: f64 = 0.5;

    /// Combines the settings with the mode and the context of the stage, which needs an output
    /// folder.
    pub(crate) fn begin<'a>(
        &'a self,
        mode: Mode,
        context: &'a Context<'a>,
    ) -> Result<Learning<'a>> {
        context.folder()?;
        let (decay, average) = match self.iterative {
            false => (Self::DECAY, 0),
            true => (Self::ITERATIVE_DECAY, mode.rounds / 5),
        };
        Ok(Learning {
            settings: &self.network,
            context,
            mode,
            decay: self.decay.unwrap_or(decay),
            average: self.network.average.unwrap_or(average),
            eval_games: self.eval_games,
        })
    }

    /// Returns the kind and the number of the rounds.
    pub(crate) fn rounds(&self, epochs: u32, episodes: u32) -> (Round, u32) {
        let (round, given, default) = match self.iterative {
            false => (Round::Epoch, self.network.epochs, epochs),
            true => (Round::Episode, self.episodes, episodes),
        };
        (round, given.map_or(default, NonZeroU32::get))
    }

    /// Checks that the hyperparameters are valid and belong to the mode.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_iterative("from", self.network.from.is_some())?;
        self.check_iterative("episodes", self.episodes.is_some())?;
        let decay = self.decay.unwrap_or(Self::DECAY);
        ensure!(
            (0.0..=1.0).contains(&decay),
            "--decay {decay} is not a number from 0 to 1"
        );
        self.network.check()
    }

    /// Checks that a setting of iterative training is not given without it. Clap drops a
    /// requirement if an argument that excludes the required argument is also given.
    pub(crate) fn check_iterative(&self, name: &str, is_given: bool) -> Result<()> {
        ensure!(self.iterative || !is_given, "--{name} takes --iterative");
        Ok(())
    }
}

/// The hyperparameters of a training run, with its mode and the context of its stage.
pub(crate) struct Learning<'a> {
    pub settings: &'a NetworkSettings,
    pub context: &'a Context<'a>,
    pub mode: Mode,
    /// The share of final rounds over which the learning rate decays to 0.
    pub decay: f64,
    /// The number of final rounds whose weights are averaged; below 2, there is no average.
    pub average: u32,
    /// The number of validation games after every round.
    pub eval_games: u32,
}

impl Learning<'_> {
    /// Returns the network to start from, if there is one.
    pub fn start(&self) -> Option<&Arc<Mlp>> {
        self.mode.start.as_ref().map(|(network, _)| network)
    }

    /// Returns the seed of the training run. No game that evaluates a player version has a seed
    /// derived from this seed.
    pub fn root(&self) -> Seed {
        Seed::new(self.context.seed).child("training", 0)
    }

    /// Returns the batch size in rows.
    pub fn batch(&self, defaults: &Defaults) -> u32 {
        self.settings.batch.map_or(defaults.batch, NonZeroU32::get)
    }

    /// Returns the trainer's settings for this many rounds.
    pub fn trainer(&self, task: &Task, rounds: u64) -> TrainerSettings {
        let settings = self.settings;
        let defaults = Defaults::of(task.features.target);
        let optimizer = settings.optimizer.unwrap_or(defaults.optimizer);
        let hidden = match (&settings.layers, self.start()) {
            (Some(layers), _) => layers.clone(),
            (None, None) => defaults.hidden(),
            (None, Some(start)) => {
                let mut layers = Layers::of(start);
                layers.0.pop();
                layers
            }
        };
        TrainerSettings {
            network: Network {
                features: task.features,
                hidden,
            },
            optimizer,
            weight_decay: settings.weight_decay.unwrap_or(optimizer.weight_decay()),
            schedule: Schedule {
                learning_rate: settings.learning_rate,
                rounds,
                decay: self.decay,
                parts: settings.schedule.clone(),
            },
            clip: settings.clip,
            batch: self.batch(defaults) as usize,
            device: settings.device,
            seed: self.root(),
            threads: self.context.threads,
        }
    }

    /// Plans the windows in which the rows of folders are read. Returns `None` if all rows are read
    /// at once.
    pub fn windows(&self, folders: &DataFolders) -> Result<Option<Windows>> {
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
