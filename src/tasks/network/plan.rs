//! The plan of a training run: a network, its rows and its hyperparameters.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::open_training::{OpenTraining, RESULTS};
use super::{Learning, RowSource, Tables, TrainingEnd, ValidationGames, Watch};
use crate::Context;
use crate::training_records::{Round, VALIDATION_BOARDS};
use mineflow_arena::numbers::grouped;
use mineflow_learn::data::{Table, Windows};
use mineflow_learn::train::{Network, Optimizer, Overfit, TrainError, Trainer, TrainerSettings};
use mineflow_model::{Metadata, Mlp};
use mineflow_store::{Purpose, object};

/// The number of rows and the maximum number of steps of the overfitting check.
const BY_HEART: (usize, usize) = (16, 20_000);

/// The network that a command trains, with the command's defaults.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Task {
    pub(crate) command: &'static str,
    pub(crate) network: Network,
    pub(crate) optimizer: Optimizer,
    /// Default batch size.
    pub(crate) batch: u32,
    /// The loss below which the overfitting check passes.
    pub(crate) by_heart: f64,
}

/// The plan of a training run.
pub(crate) struct TrainingPlan<'a> {
    pub(super) learning: &'a Learning<'a>,
    pub(super) source: RowSource<'a>,
    pub(super) trainer: TrainerSettings,
    pub(super) validation: ValidationGames<'a>,
    /// Metadata of the artifact.
    pub(crate) metadata: Metadata,
    task: &'a Task,
}

impl<'a> TrainingPlan<'a> {
    pub(crate) fn new(task: &'a Task, learning: &'a Learning<'a>, source: RowSource<'a>) -> Self {
        let windows = source.windows.as_ref().map_or(1, Windows::count) as u64;
        Self {
            // The trainer counts every window as a round.
            trainer: learning.trainer(task, u64::from(source.rounds) * windows),
            validation: ValidationGames {
                player: source.player,
                games: learning.settings.eval_games,
            },
            metadata: learning.metadata(task),
            learning,
            source,
            task,
        }
    }

    /// Returns the number of rounds of the whole training run.
    pub(super) fn rounds(&self) -> u64 {
        self.source.rounds.into()
    }

    /// Returns whether every round generates new rows.
    pub(super) fn has_new_rows(&self) -> bool {
        self.source.round == Round::Episode
    }

    /// Returns the rows of a round. Training rows are augmented by symmetries if the setting is on.
    /// `network` is the current network, if there is one.
    pub(super) fn rows(
        &mut self,
        round: u64,
        network: Option<&Arc<Mlp>>,
    ) -> anyhow::Result<Tables> {
        let mut tables = (self.source.make)(round, network)?;
        if self.learning.settings.symmetries.0 {
            let drawn = if self.has_new_rows() { round } else { 0 };
            tables.turn(
                self.trainer.network.features,
                self.learning.root().child("symmetries", drawn),
            );
        }
        Ok(tables)
    }

    /// Creates a trainer before its first step. Inputs are standardised on these rows, unless the
    /// training run starts from a network.
    pub(super) fn fresh_trainer(&self, rows: &Table) -> Result<Trainer, TrainError> {
        match &self.source.from {
            Some(from) => Trainer::from_artifact(self.trainer, from),
            None => Trainer::new(self.trainer, rows),
        }
    }

    /// Trains from the folder's state to the end, or stops soon after an interruption.
    pub(super) fn run(self, watch: &mut Watch<'_>) -> anyhow::Result<TrainingEnd> {
        let context = self.learning.context;
        let folder = context.open(&Purpose {
            results: RESULTS,
            ..Purpose::of(self.settings())
        })?;
        if let Some(result) = folder.result()? {
            return Ok(TrainingEnd::AlreadyFinished(result));
        }
        if let Some(windows) = &self.source.windows {
            note_windows(context, windows);
        }
        OpenTraining::open(self, folder)?.finish(watch)
    }

    /// Overfits a few rows, as a first check of a network, and returns the result. Nothing is
    /// saved.
    pub(super) fn overfit(mut self) -> anyhow::Result<Overfit> {
        let from = self.source.from.clone();
        let tables = self.rows(0, from.as_ref())?;
        let windows = 0..tables.train.windows();
        let table = tables
            .train
            .first_of(windows, self.learning.context.stop)?
            .ok_or(TrainError::NoRows("training"))?
            .1;
        let (rows, steps) = BY_HEART;
        Ok(Trainer::new(self.trainer, &table)?.overfit(&table, rows, steps, self.task.by_heart)?)
    }

    /// Returns all settings that the result depends on, for the manifest.
    fn settings(&self) -> Map<String, Value> {
        let learning = self.learning;
        let trainer = &self.trainer;
        let settings = json!({
            "command": self.task.command,
            "network": trainer.network.name,
            "features": trainer.network.features.name,
            "optimizer": trainer.optimizer.name(),
            "learning_rate": trainer.schedule.learning_rate,
            "decay": trainer.schedule.decay,
            "clip": trainer.clip,
            "average": learning.average(),
            "batch": trainer.batch,
            "device": trainer.device.name(),
            "validation_boards": VALIDATION_BOARDS,
            "seed": learning.context.seed,
            "eval_games": learning.settings.eval_games,
            "symmetries": learning.settings.symmetries.0,
        });
        object(settings)
            .into_iter()
            .chain(object(self.source.settings.clone()))
            .collect()
    }
}

/// Notes for the user that training reads the rows in windows.
pub(crate) fn note_windows(context: &Context<'_>, windows: &Windows) {
    let count = windows.count();
    let rows = grouped(windows.rows());
    let things = if count == 1 { "window" } else { "windows" };
    context.note(&format!(
        "note: learning in {count} {things} of up to {rows} rows"
    ));
}
