//! The state of a training run that its folder stores.

use std::{sync::Arc, time::Instant};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{TrainingPlan, choice::CandidateSource, open_training::event};
use crate::{
    json_lines,
    network::tensorboard::Events,
    training_records::{Figures, Metrics, RoundCost},
};
use mineflow_arena::to_csv;
use mineflow_learn::{
    data::Table,
    train::{TrainError, Trainer, TrainerSettings},
};
use mineflow_model::Mlp;
use mineflow_store::Folder;

const CHECKPOINT: &str = "checkpoint.json";
const METRICS: &str = "metrics.jsonl";
const COSTS: &str = "cost.csv";
const RAN_AWAY: &str = "ran-away.csv";
/// The format of the checkpoint that this program writes and reads.
const FORMAT: u64 = 3;

/// The file `checkpoint.json`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Checkpoint {
    format: u64,
    /// Number of whole rounds.
    rounds: u64,
    average: Option<Figures>,
    begun: Option<Begun>,
    trainer: Value,
}

/// The finished windows of a round, with their totals.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Begun {
    pub windows: usize,
    pub rows: usize,
    /// Mean loss over the rows of the finished windows.
    pub loss: f64,
    /// Training time in seconds.
    pub seconds: f64,
}

impl Begun {
    /// Adds the results of a window whose training started at `began`.
    pub fn add(&mut self, window: usize, rows: usize, loss: f64, began: Instant) {
        self.seconds += began.elapsed().as_secs_f64();
        self.windows = window + 1;
        self.rows += rows;
        // This is the mean over all rows so far. For a single window, it is exactly the window's
        // loss.
        self.loss += (loss - self.loss) * (rows as f64 / self.rows as f64);
    }
}

/// The state of a training run that its folder stores.
#[derive(Default)]
pub(super) struct State {
    /// The trainer; `None` before the first rows are available.
    pub trainer: Option<Trainer>,
    /// The round in progress, if it has finished windows.
    pub begun: Option<Begun>,
    /// The network after the last whole round.
    pub network: Option<Arc<Mlp>>,
    /// Metrics of every whole round.
    pub metrics: Vec<Metrics>,
    /// Costs of the rounds for which they are known.
    pub costs: Vec<RoundCost>,
    /// Validation results of the network with the mean weights of the last rounds, once all rounds
    /// are finished.
    pub average: Option<Figures>,
}

impl State {
    /// Restores the folder's checkpoint if there is one.
    pub fn restore(plan: &TrainingPlan<'_>, folder: &Folder) -> Result<Self> {
        let fresh = Self {
            network: plan.learning.start().cloned(),
            ..Self::default()
        };
        let Some(text) = folder.read_checked(CHECKPOINT)? else {
            return Ok(fresh);
        };
        fresh.resume(&text, plan, folder).with_context(|| {
            let path = folder.path().join(CHECKPOINT);
            format!("{} can't be resumed from", path.display())
        })
    }

    fn resume(mut self, text: &[u8], plan: &TrainingPlan<'_>, folder: &Folder) -> Result<Self> {
        let stored: Checkpoint = serde_json::from_slice(text)?;
        if stored.format != FORMAT {
            let why = format!("its format is {}, not {FORMAT}", stored.format);
            return Err(TrainError::Checkpoint(why).into());
        }
        self.trainer = Some(Trainer::from_checkpoint(
            plan.trainer.clone(),
            stored.trainer,
        )?);
        self.begun = stored.begun;
        self.average = stored.average;
        let rounds = stored.rounds;
        if rounds > 0 {
            self.network = Some(Arc::new(read(folder, CandidateSource::Round(rounds))?));
        }
        // The file may have an extra line: that of a round whose checkpoint was not written.
        let text = folder.read(METRICS)?.unwrap_or_default();
        let lines = text.split(|&byte| byte == b'\n').take(rounds as usize);
        self.metrics = lines
            .map_while(|line| serde_json::from_slice(line).ok())
            .collect();
        if self.metrics.len() as u64 != rounds {
            let why = format!("{METRICS} does not have its {rounds} rounds");
            return Err(TrainError::Checkpoint(why).into());
        }
        // Unreadable costs are ignored, because results do not depend on costs.
        let text = folder.read(COSTS)?.unwrap_or_default();
        let costs = csv::Reader::from_reader(&text[..]).into_deserialize::<RoundCost>();
        let costs = costs.map_while(Result::ok);
        self.costs = costs.filter(|cost| cost.number <= rounds).collect();
        Ok(self)
    }

    /// Returns the number of whole rounds.
    pub fn rounds(&self) -> u64 {
        self.metrics.len() as u64
    }

    /// Records a finished round in the metrics, the checkpoint and the costs.
    pub fn add(
        &mut self,
        metrics: Metrics,
        cost: RoundCost,
        folder: &Folder,
        events: &mut Events,
    ) -> Result<()> {
        self.metrics.push(metrics);
        self.costs.push(cost);
        self.begun = None;
        folder.write(METRICS, json_lines(&self.metrics)?.as_bytes())?;
        self.write_checkpoint(folder)?;
        folder.write(COSTS, &to_csv(&self.costs)?)?;
        Ok(events.add(&event(&metrics))?)
    }

    /// Writes the checkpoint of the training run.
    pub fn write_checkpoint(&self, folder: &Folder) -> Result<()> {
        let Some(trainer) = &self.trainer else {
            return Ok(());
        };
        let checkpoint = Checkpoint {
            format: FORMAT,
            rounds: self.rounds(),
            average: self.average,
            begun: self.begun,
            trainer: trainer.checkpoint(),
        };
        Ok(folder.write_checked(CHECKPOINT, &serde_json::to_vec(&checkpoint)?)?)
    }
}

/// Reads a saved network.
pub(super) fn read(folder: &Folder, kept: CandidateSource) -> Result<Mlp> {
    let read = || {
        let bytes = folder.read(&kept.file())?;
        let bytes = bytes.context("the file is missing; give another --out")?;
        anyhow::Ok(Mlp::from_bytes(&bytes).map_err(TrainError::from)?)
    };
    read().with_context(|| {
        let path = folder.path().join(kept.file());
        format!("{} can't be read", path.display())
    })
}

/// Writes the batch at which the training diverged to a file, and returns an error that names the
/// file.
pub(super) fn note_batch(
    folder: &Folder,
    trainer: &TrainerSettings,
    table: &Table,
    error: TrainError,
) -> anyhow::Error {
    let TrainError::Diverged { rows, .. } = &error else {
        return error.into();
    };
    let names = trainer.network.features.names.join(",");
    let mut text = format!("row,game,{names},target\n");
    for &row in rows {
        let row = row as usize;
        let numbers = table.row(row).iter().chain([&table.target[row]]);
        let numbers: Vec<_> = numbers.map(f32::to_string).collect();
        text += &format!("{row},{},{}\n", table.game[row], numbers.join(","));
    }
    let place = folder.path().join(RAN_AWAY);
    let why = match folder.write(RAN_AWAY, text.as_bytes()) {
        Ok(()) => {
            let place = place.display();
            format!("training failed; the rows of its batch are in {place}")
        }
        Err(unwritten) => unwritten.to_string(),
    };
    anyhow::Error::new(error).context(why)
}
