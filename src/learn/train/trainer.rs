//! Trains one network: epochs of minibatches, validation loss, checkpoint and export.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{
    batches::shuffled,
    checkpoint,
    error::TrainError,
    learner::{Diverged, Learner, Numbers},
    network::{Layer, Layers},
    settings::TrainerSettings,
    standardisation::Standardisation,
};
use crate::data::Table;
use mineflow_model::{Activation, Metadata, Mlp, Model as _, ModelScratch};

/// Number of held-out rows for comparing an artifact with its trainer.
const COMPARED_ROWS: usize = 1000;
/// The largest accepted difference between the outputs of an artifact and of its trainer.
const TOLERANCE: f32 = 1e-5;

/// Progress of an epoch.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RowsProgress {
    /// Rows trained on in this epoch.
    pub rows: usize,
    pub of_rows: usize,
    /// Mean loss over these rows. The loss of a row is computed before the step of its batch.
    pub loss: f64,
}

/// A network in training.
pub struct Trainer {
    settings: TrainerSettings,
    inputs: Standardisation,
    learner: Learner,
    /// The number of steps of the whole training run, for schedules that count steps. It is
    /// computed from the first round.
    planned: Option<usize>,
}

impl Trainer {
    /// Creates a trainer with random weights. Inputs are standardised by `first`, the first rows
    /// that it will see.
    ///
    /// # Errors
    /// Returns an error if the network can't be trained on `first`.
    pub fn new(settings: TrainerSettings, first: &Table) -> Result<Self, TrainError> {
        settings.network.check(first, "training")?;
        let numbers = Numbers::initial(&settings.network, settings.seed);
        Self::with(settings, numbers, Standardisation::of(first))
    }

    /// Creates a trainer that continues from an artifact, with a fresh optimiser.
    ///
    /// # Errors
    /// Returns an error if the layers of the artifact are not those of the network.
    pub fn from_artifact(settings: TrainerSettings, mlp: &Mlp) -> Result<Self, TrainError> {
        let (numbers, inputs) = numbers_of(&settings, mlp)?;
        Self::with(settings, numbers, inputs)
    }

    /// Creates a trainer whose weights are the mean of those of `last` and `before`, which are
    /// networks of one training run. The optimiser is fresh.
    ///
    /// # Errors
    /// Returns an error if the layers of one of these networks are not those of the network in
    /// `settings`.
    pub fn at_mean(
        settings: TrainerSettings,
        last: &Mlp,
        before: &[Mlp],
    ) -> Result<Self, TrainError> {
        let (mut numbers, inputs) = numbers_of(&settings, last)?;
        let others = before
            .iter()
            .map(|mlp| Ok(numbers_of(&settings, mlp)?.0.parameters));
        let others = others.collect::<Result<Vec<_>, TrainError>>()?;
        for (tensor, values) in numbers.parameters.iter_mut().enumerate() {
            for (index, value) in values.iter_mut().enumerate() {
                let sum = others.iter().fold(f64::from(*value), |sum, other| {
                    sum + f64::from(other[tensor][index])
                });
                *value = (sum / (others.len() + 1) as f64) as f32;
            }
        }
        Self::with(settings, numbers, inputs)
    }

    /// Creates a trainer that continues from a checkpoint exactly as if it had not stopped.
    ///
    /// # Errors
    /// Returns an error if the checkpoint is damaged or belongs to another network or optimiser.
    pub fn from_checkpoint(
        settings: TrainerSettings,
        stored: serde_json::Value,
    ) -> Result<Self, TrainError> {
        let (numbers, inputs, planned) = checkpoint::from_json(stored)?;
        let width = settings.network.inputs();
        if !numbers.fit(&settings.network, settings.optimizer)
            || inputs.mean.len() != width
            || inputs.deviation.len() != width
        {
            return Err(TrainError::Checkpoint(format!(
                "its tensors are not those of the layers {}",
                settings.network.hidden
            )));
        }
        Ok(Self {
            planned,
            ..Self::with(settings, numbers, inputs)?
        })
    }

    fn with(
        settings: TrainerSettings,
        numbers: Numbers,
        inputs: Standardisation,
    ) -> Result<Self, TrainError> {
        Ok(Self {
            learner: Learner::new(&settings, numbers)?,
            settings,
            inputs,
            planned: None,
        })
    }

    /// Returns the checkpoint for [`Trainer::from_checkpoint`].
    pub fn checkpoint(&self) -> serde_json::Value {
        checkpoint::to_json(&self.learner.numbers(), &self.inputs, self.planned)
    }

    /// Returns the number of optimiser steps so far, including those before a checkpoint.
    pub fn steps(&self) -> usize {
        self.learner.steps()
    }

    /// Trains for one epoch on `table`. The order of the rows depends on the seed and `epoch`, and
    /// the learning rates depend on the schedule and `epoch`. Returns the mean loss, or `None` if
    /// the epoch was interrupted. `watch` is called after every batch.
    ///
    /// # Errors
    /// Returns an error if the network can't be trained on the table, or the training diverges.
    pub fn epoch(
        &mut self,
        table: &Table,
        epoch: u64,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(RowsProgress),
    ) -> Result<Option<f64>, TrainError> {
        self.settings.network.check(table, "training")?;
        let order = shuffled(table.rows(), self.settings.seed.child("epoch", epoch));
        let batches = order.chunks(self.settings.batch);
        let schedule = &self.settings.schedule;
        if schedule.parts.is_some() {
            let planned = batches.len() * schedule.rounds as usize;
            self.planned.get_or_insert(planned);
        }
        let steps = (self.steps(), self.planned.unwrap_or_default());
        let rates = schedule.of_round(epoch, batches.len(), steps)?;
        let mut sum = 0.0;
        let mut rows = 0;
        for (batch, (of_batch, rate)) in batches.zip(rates).enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let diverged = |Diverged(what)| TrainError::Diverged {
                what,
                batch,
                rows: of_batch.to_vec(),
            };
            let loss = self
                .learner
                .step(rate, &self.inputs, table, of_batch)
                .map_err(diverged)?;
            rows += of_batch.len();
            sum += loss * of_batch.len() as f64;
            watch(RowsProgress {
                rows,
                of_rows: table.rows(),
                loss: sum / rows as f64,
            });
        }
        Ok(Some(sum / rows as f64))
    }

    /// Returns the learning rate after this many steps, at the start of a round that is counted
    /// from 0.
    pub fn rate_at(&self, round: u64, steps: usize) -> f64 {
        let steps = (steps, self.planned.unwrap_or_default());
        let rates = self.settings.schedule.of_round(round, 1, steps).ok();
        rates.and_then(|mut rates| rates.next()).unwrap_or_default()
    }

    /// Returns the mean loss over held-out rows.
    ///
    /// # Errors
    /// Returns an error if the network can't take the rows of `table`.
    pub fn validate(&self, table: &Table) -> Result<f64, TrainError> {
        self.settings.network.check(table, "validation")?;
        Ok(self.learner.loss(&self.inputs, table))
    }

    /// Returns the current network as a model for playing.
    ///
    /// # Errors
    /// Returns an error if the network can't be an artifact.
    pub fn mlp(&self, metadata: Metadata) -> Result<Mlp, TrainError> {
        let inputs = self.inputs.clone();
        let layers = self.learner.layers();
        Ok(Mlp::new(layers, inputs.mean, inputs.deviation, metadata)?)
    }

    /// Returns the largest difference between the outputs of `mlp` and of the trainer's own forward
    /// pass for up to 1,000 rows of `table`.
    ///
    /// # Errors
    /// Returns an error if the network can't take the rows of `table`, or if two outputs differ by
    /// more than 1e-5.
    pub fn compare(&self, mlp: &Mlp, table: &Table) -> Result<f32, TrainError> {
        self.settings.network.check(table, "validation")?;
        let rows: Vec<u32> = (0..table.rows().min(COMPARED_ROWS) as u32).collect();
        let expected = self.learner.outputs(&self.inputs, table, &rows);
        let mut found = Vec::new();
        mlp.append(
            &table.features[..rows.len() * table.width],
            &mut found,
            &mut ModelScratch::default(),
        );
        let mut largest = 0.0_f32;
        for (row, (&found, expected)) in found.iter().zip(expected).enumerate() {
            let difference = (found - expected).abs();
            if difference.is_nan() || difference > TOLERANCE {
                return Err(TrainError::Parity {
                    row,
                    found,
                    expected,
                });
            }
            largest = largest.max(difference);
        }
        Ok(largest)
    }
}

/// Returns the weights of an artifact with an empty optimiser state, and the standardisation of its
/// inputs.
fn numbers_of(
    settings: &TrainerSettings,
    mlp: &Mlp,
) -> Result<(Numbers, Standardisation), TrainError> {
    let network = &settings.network;
    let layers = mlp.layers();
    let tensors = layers
        .iter()
        .flat_map(|layer| [layer.weight.clone(), layer.bias.clone()]);
    let mut parameters: Vec<_> = tensors.collect();
    let last = parameters.iter_mut().rev().take(2).flatten();
    last.for_each(|value| *value /= network.unit());
    let numbers = Numbers {
        steps: 0,
        moments: vec![Vec::new(); parameters.len()],
        parameters,
    };
    let (found, expected) = (Layers::of(mlp), Layers(network.layers().collect()));
    let is_sigmoid = |layer: &Layer| layer.activation == Activation::Sigmoid;
    if found != expected
        || network.hidden.0.iter().any(is_sigmoid)
        || mlp.inputs() != network.inputs()
        || !numbers.fit(network, settings.optimizer)
    {
        return Err(TrainError::OtherLayers { found, expected });
    }
    let inputs = Standardisation {
        mean: mlp.mean().to_vec(),
        deviation: mlp.deviation().to_vec(),
    };
    Ok((numbers, inputs))
}
