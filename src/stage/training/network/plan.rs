//! A training as it was asked for.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value, json};

use super::examination::BOARDS;
use super::open_training::{OpenTraining, RESULTS};
use super::{DataFolders, Examination, Learning, MakeRows, TrainingEnd, Watch};
use mineflow_data::Windows;
use mineflow_document::numbers::grouped;
use mineflow_model::{Metadata, Mlp};
use mineflow_stage::definition::Context;
use mineflow_stage::training_records::Round;
use mineflow_store::Purpose;
use mineflow_train::{Overfit, Trainer, TrainerSettings};

/// A training as it was asked for.
pub struct TrainingPlan<'a> {
    /// Everything that the result depends on.
    pub settings: Map<String, Value>,
    pub trainer: TrainerSettings,
    pub round: Round,
    pub rounds: u64,
    /// Whether every round asks for new rows.
    pub new_rows: bool,
    /// Windows a round.
    pub windows: usize,
    /// The network to start from, in place of random weights.
    pub from: Option<Arc<Mlp>>,
    pub metadata: Metadata,
    pub examination: Examination,
    /// Rounds at the end whose mean may be published too; below 2 for none.
    pub average: u32,
    pub rows: Box<MakeRows<'a>>,
}

impl<'a> TrainingPlan<'a> {
    /// Trains from where the folder has it to the end, or until soon after it is asked to stop.
    pub fn run(mut self, context: &Context<'_>, watch: &mut Watch<'_>) -> anyhow::Result<TrainingEnd> {
        // To the trainer every window is a round.
        self.trainer.schedule.rounds = self.rounds * self.windows as u64;
        let purpose = Purpose { results: RESULTS, ..Purpose::of(self.settings.clone()) };
        let folder = context.open(&purpose)?;
        if let Some(result) = folder.result()? {
            return Ok(TrainingEnd::AlreadyFinished(result));
        }
        if let Some(rows) = self.settings.get("window").and_then(Value::as_u64) {
            note_windows(context, self.windows, rows);
        }
        OpenTraining::open(self, folder)?.finish(context.stop, watch)
    }

    /// Learns a few rows by heart: the first check of a network. Nothing is kept.
    pub fn overfit(mut self, (rows, steps, wanted): (usize, usize, f64), stop: &AtomicBool) -> anyhow::Result<Overfit> {
        let tables = (self.rows)(0, self.from.as_ref())?;
        let table = tables.train.window(0, 0, stop)?;
        Ok(Trainer::new(self.trainer, &table)?.overfit(&table, rows, steps, wanted)?)
    }
}

/// Says that not all rows are in memory.
pub fn note_windows(context: &Context<'_>, count: usize, rows: u64) {
    let (windows, rows) = (if count == 1 { "window" } else { "windows" }, grouped(rows));
    context.note(&format!("note: learning in {count} {windows} of up to {rows} rows"));
}

/// The settings of a training over data folders alone.
pub fn of_data(epochs: u32, folders: &DataFolders, windows: Option<&Windows>) -> Value {
    let mut own = json!({"epochs": epochs, "data": folders.sha256});
    if let Some(windows) = windows {
        own["window"] = json!(windows.rows());
    }
    own
}

/// The settings that every training has, for its manifest; those of the command follow.
pub fn settings(command: &str, learning: &Learning, trainer: &TrainerSettings, own: Value) -> Map<String, Value> {
    let mut settings = Map::from_iter(
        [
            ("command", json!(command)),
            ("network", json!(trainer.network.name)),
            ("features", json!(trainer.network.features.name)),
            ("optimizer", json!(trainer.optimizer.name())),
            ("learning_rate", json!(learning.learning_rate)),
            ("decay", json!(learning.decay)),
            ("clip", json!(learning.clip)),
            ("average", json!(learning.average)),
            ("batch", json!(learning.batch)),
            ("device", json!(learning.device.name())),
            ("validation_boards", json!(BOARDS)),
        ]
        .map(|(name, value)| (name.to_owned(), value)),
    );
    if let Value::Object(own) = own {
        settings.extend(own);
    }
    settings
}
