//! Growing boosted trees in a folder: what `train-trees` and `train-ranker` share.

use std::num::NonZeroU32;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};

use super::definition::{Context, Outcome};
use super::series::{round, to_csv};
use super::training_records::{ImportanceRow, TreesMetrics};
use crate::document::numbers::grouped;
use crate::learn::FeatureSet;
use crate::learn::data::Table;
use crate::learn::model::{Artifact, Expected, Forest, ForestScratch};
use crate::learn::train::trees::{Importance, Loss, Pause, Trees, TreesSettings, TreesTraining};
use crate::store::Folder;

const CHECKPOINT: &str = "checkpoint.bin";
const METRICS: &str = "metrics.jsonl";
/// Rows on which the artifact, read back, must agree with the trainer, and how closely.
const COMPARED: usize = 1000;
const READ_BACK: f32 = 1e-6;

/// A growing of trees in its context.
pub(super) struct Boosting<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) settings: TreesSettings,
    pub(super) loss: Loss,
    /// Rounds from one checkpoint to the next.
    pub(super) checkpoint_every: NonZeroU32,
    pub(super) set: &'static FeatureSet,
}

/// Trees that are grown.
pub(super) struct Grown {
    pub(super) trees: Trees,
    /// Rounds grown; the trees keep those up to the least validation loss.
    pub(super) rounds: usize,
    pub(super) train_rows: usize,
    pub(super) validation_rows: usize,
}

/// The settings of growing as manifests have them.
pub(super) fn described(settings: &TreesSettings) -> [(&'static str, Value); 7] {
    let &TreesSettings { rounds, patience, learning_rate, depth, l2, leaf_weight, bins } = settings;
    [
        ("rounds", json!(rounds)),
        ("patience", json!(patience)),
        ("learning_rate", json!(learning_rate)),
        ("depth", json!(depth)),
        ("l2", json!(l2)),
        ("leaf_weight", json!(leaf_weight)),
        ("bins", json!(bins)),
    ]
}

impl Boosting<'_> {
    /// Grows from where the folder has it to the end, or until soon after it is asked to stop. Notes every round and keeps a
    /// checkpoint now and then.
    pub(super) fn grow(
        &self,
        train: Table,
        validation: Table,
        folder: &Folder,
    ) -> anyhow::Result<Result<Grown, Outcome>> {
        let context = self.context;
        let mut training = TreesTraining::new(self.settings, self.loss, train, validation, context.threads)?;
        if let Some(checkpoint) = folder.read_checked(CHECKPOINT)? {
            let place = || format!("{} can't be resumed from", folder.path().join(CHECKPOINT).display());
            training.resume(&checkpoint, read_losses(folder)?).with_context(place)?;
        }
        if self.rounds(&mut training, folder)? == Pause::Stopped {
            return Ok(Err(context.interrupted(&format!("{} rounds", training.losses().len()))));
        }
        let planned = self.settings.rounds as u64;
        context.say(planned, planned, "judging");
        let rounds = training.losses().len();
        let (train_rows, validation_rows) = training.rows();
        let trees = training.finish()?.context("there is no round to grow")?;
        Ok(Ok(Grown { trees, rounds, train_rows, validation_rows }))
    }

    fn rounds(&self, training: &mut TreesTraining, folder: &Folder) -> anyhow::Result<Pause> {
        let (context, planned) = (self.context, self.settings.rounds);
        let every = self.checkpoint_every.get() as usize;
        let (began, before, rows) = (Instant::now(), training.losses().len(), training.rows().0);
        let loss_name = match self.loss {
            Loss::Logarithmic => "log-loss",
            Loss::SquaredError => "root mean squared error",
            Loss::Listwise { .. } => "cross-entropy",
        };
        loop {
            let pause = training.grow(every, context.stop, &mut |round| {
                let learnt = (rows * (round.round - before)) as f64;
                let rows_per_second = learnt / began.elapsed().as_secs_f64().max(1e-9);
                let (at, loss, rate) = (round.round, round.validation_loss, grouped(rows_per_second as u64));
                let text = format!("round {at} of {planned}, validation {loss_name} {loss:.6}, {rate} rows/s");
                context.say(at as u64, planned as u64, &text);
            })?;
            folder.write(METRICS, metrics(training.losses())?.as_bytes())?;
            if let Some(checkpoint) = training.checkpoint()? {
                folder.write_checked(CHECKPOINT, &checkpoint)?;
            }
            if pause != Pause::Rounds {
                return Ok(pause);
            }
        }
    }

    /// The largest difference between the artifact, read as a player reads it, and the trainer; an error if it is too large.
    pub(super) fn read_back(&self, trees: &Trees, bytes: &[u8], test: &Table) -> anyhow::Result<f32> {
        let artifact = Artifact::from_bytes(bytes).context("the artifact just made can't be read back")?;
        artifact.check(&Expected::new("the training", self.set))?;
        let forest = Forest::from_bytes(bytes)?;
        let rows = &test.features[..COMPARED.min(test.rows()) * test.width];
        let mut native = Vec::new();
        forest.predict(rows, &mut native, &mut ForestScratch::default());
        let expected = trees.predict(rows)?;
        let largest = native.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        ensure!(
            largest <= READ_BACK,
            "the artifact read back differs from the trainer by {largest} on the test rows, more than {READ_BACK}"
        );
        Ok(largest)
    }

    /// A table of what each feature is worth to the trees.
    pub(super) fn importance(&self, trees: &Trees) -> anyhow::Result<Vec<u8>> {
        let importance = trees.importance(self.set.width());
        let all: f64 = importance.iter().map(|of| of.total_gain).sum();
        let row = |of: &Importance| ImportanceRow {
            feature: self.set.names[of.column].to_owned(),
            share_of_gain: round(of.total_gain / all.max(f64::MIN_POSITIVE), 6),
            total_gain: round(of.total_gain, 3),
            gain_a_split: round(of.gain, 3),
            splits: of.splits,
        };
        to_csv(&importance.iter().map(row).collect::<Vec<_>>())
    }
}

fn metrics(losses: &[f64]) -> anyhow::Result<String> {
    let mut text = String::new();
    for (index, &loss) in losses.iter().enumerate() {
        text += &serde_json::to_string(&TreesMetrics { round: index + 1, validation_log_loss: round(loss, 9) })?;
        text.push('\n');
    }
    Ok(text)
}

/// The losses that the folder notes, round by round.
fn read_losses(folder: &Folder) -> anyhow::Result<Vec<f64>> {
    let place = || format!("{} is not a record of this training", folder.path().join(METRICS).display());
    let text = String::from_utf8(folder.read(METRICS)?.unwrap_or_default()).with_context(place)?;
    let mut losses = Vec::new();
    for line in text.lines() {
        let metrics: TreesMetrics = serde_json::from_str(line).with_context(place)?;
        ensure!(metrics.round == losses.len() + 1, "{}: round {} is out of turn", place(), metrics.round);
        losses.push(metrics.validation_log_loss);
    }
    Ok(losses)
}
