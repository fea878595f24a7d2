//! A training as it was asked for.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::examination::BOARDS;
use super::open_training::{OpenTraining, RESULTS};
use super::{Examination, Learning, MakeRows, TrainingEnd, Watch};
use crate::learn::model::{Metadata, Mlp};
use crate::learn::train::{Overfit, Trainer, TrainerSettings};
use crate::stage::definition::Context;
use crate::stage::training_records::Round;
use crate::store::Purpose;

/// A training as it was asked for.
pub(in crate::stage) struct TrainingPlan<'a> {
    /// Everything that the result depends on.
    pub(in crate::stage) settings: Map<String, Value>,
    pub(in crate::stage) trainer: TrainerSettings,
    pub(in crate::stage) round: Round,
    pub(in crate::stage) rounds: u64,
    /// Whether every round asks for rows anew.
    pub(in crate::stage) new_rows: bool,
    /// The network to start from, in place of random weights.
    pub(in crate::stage) from: Option<Arc<Mlp>>,
    pub(in crate::stage) metadata: Metadata,
    pub(in crate::stage) examination: Examination,
    /// Rounds at the end whose mean may be published too; below 2 for none.
    pub(in crate::stage) average: u32,
    pub(in crate::stage) rows: Box<MakeRows<'a>>,
}

impl<'a> TrainingPlan<'a> {
    /// Trains from where the folder has it to the end, or until soon after it is asked to stop.
    pub(in crate::stage) fn run(mut self, context: &Context<'_>, watch: &mut Watch<'_>) -> anyhow::Result<TrainingEnd> {
        self.trainer.schedule.rounds = self.rounds;
        let purpose = Purpose { results: RESULTS, ..Purpose::of(self.settings.clone()) };
        let folder = context.open(&purpose)?;
        if let Some(result) = folder.result()? {
            return Ok(TrainingEnd::AlreadyFinished(result));
        }
        OpenTraining::open(self, folder)?.finish(context.stop, watch)
    }

    /// Learns a few rows by heart: the first check of a network. Nothing is kept.
    pub(in crate::stage) fn overfit(mut self, rows: usize, steps: usize, wanted: f64) -> anyhow::Result<Overfit> {
        let tables = (self.rows)(0, self.from.as_ref())?;
        Ok(Trainer::new(self.trainer, &tables.train)?.overfit(&tables.train, rows, steps, wanted)?)
    }
}

/// The settings that every training has, for its manifest; those of the command follow.
pub(in crate::stage) fn settings(
    command: &str,
    learning: &Learning,
    trainer: &TrainerSettings,
    own: Value,
) -> Map<String, Value> {
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
