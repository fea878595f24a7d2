//! Gradient boosting in a folder, as `train-trees` runs it.
//!
//! ```text
//! DIR/manifest.json     settings and, at the end, result
//!     metrics.jsonl     the validation loss of every round
//!     checkpoint.bin    the trees at the last checkpoint
//!     importance.csv    the importance of each feature
//!     artifact.json     the trees as XGBoost writes them, written last
//! ```
//!
//! A process that is killed loses the rounds since the last checkpoint. Running the same settings
//! on the same folder grows these rounds again and produces identical files.

use std::{num::NonZeroU32, time::Instant};

use anyhow::{Context as _, Result, ensure};
use serde::Serialize;

use crate::{
    Context, Outcome,
    curve::{CURVE, draw_curve},
    json_lines,
    network::{
        note_windows,
        tensorboard::{Event, Events},
    },
    training_records::TreesMetrics,
    values::check_range,
};
use mineflow_arena::{
    numbers::{grouped, round},
    to_csv,
};
use mineflow_learn::{
    data::{ExtraMemory, Rows, Table, Windows},
    train::{
        Loss, RowsError,
        trees::{Trees, TreesSettings, TreesTraining},
    },
};
use mineflow_model::{AnyModel, Artifact, Expected, FeatureSet, ModelScratch};
use mineflow_store::{Folder, sha256};

pub(super) const ARTIFACT: &str = "artifact.json";
const IMPORTANCE: &str = "importance.csv";
/// The files that count as results.
pub(super) const RESULTS: &[&str] = &[ARTIFACT, IMPORTANCE, CURVE];
const CHECKPOINT: &str = "checkpoint.bin";
const METRICS: &str = "metrics.jsonl";
/// Maximum number of test rows on which the artifact, once read back, is compared with the trainer.
const COMPARED: usize = 1000;
/// Largest accepted difference between the predictions of the artifact and those of the trainer.
const READ_BACK: f32 = 1e-6;

/// Returns the memory that boosting needs for a row with this many columns, beyond the row itself:
/// its bins by rows and by columns, its position in both, its gradients, margin and label.
/// Validation rows are stored twice.
pub(super) const fn extra_memory(columns: usize) -> ExtraMemory {
    ExtraMemory {
        bytes: 3 * columns as u64 + 56,
        held_out: 3,
    }
}

/// Validates the boosting settings before any row is generated or read.
pub(super) fn check_growing(settings: &TreesSettings) -> Result<()> {
    let rate = settings.learning_rate;
    ensure!(
        rate > 0.0 && rate.is_finite(),
        "--learning-rate {rate} is not a number above 0"
    );
    for (name, value) in [("l2", settings.l2), ("leaf-weight", settings.leaf_weight)] {
        ensure!(
            value >= 0.0 && value.is_finite(),
            "--{name} {value} is not a number from 0 on"
        );
    }
    check_range("bins", settings.bins, 2..=65_536)
}

/// Gradient boosting with its settings, in a folder and in the context of a stage.
pub(super) struct Boosting<'a> {
    pub context: &'a Context<'a>,
    pub folder: &'a Folder,
    pub settings: TreesSettings,
    pub loss: Loss,
    /// Number of rounds between checkpoints.
    pub checkpoint_every: NonZeroU32,
    pub set: &'static FeatureSet,
    /// The trees on top of which the trees grow.
    pub start: Option<Artifact>,
}

/// A finished ensemble of trees.
pub(super) struct Grown {
    pub trees: Trees,
    /// Number of rounds grown. The ensemble keeps the trees up to the round with the lowest
    /// validation loss.
    pub rounds: usize,
    pub train_rows: usize,
    pub validation_rows: usize,
}

impl Boosting<'_> {
    /// Grows trees from the folder's checkpoint to the end, or stops soon after an interruption.
    /// Every round is recorded, and checkpoints are written periodically. With windows, every round
    /// grows its tree on the next window, on top of the margins of the earlier trees.
    pub fn grow(&self, train: Rows, validation: Table) -> Result<Result<Grown, Outcome>> {
        let context = self.context;
        let (mut training, mut noted) = self.open(validation)?;
        let mut windows = None;
        match train {
            Rows::Whole(table) => training.train_on(table)?,
            Rows::Windows(rows) => windows = Some(rows),
        }
        if let Some(windows) = windows.as_ref().filter(|_| noted.is_empty()) {
            note_windows(context, windows);
        }
        while !training.is_finished() {
            let mut rounds = self.checkpoint_every.get();
            if let Some(windows) = &windows {
                self.next_window(windows, &mut training, &mut noted)?;
                rounds = 1;
            }
            if self.rounds(&mut training, rounds, &noted)? {
                let rounds = training.losses().len();
                return Ok(Err(context.interrupted(&format!("{rounds} rounds"))));
            }
        }
        draw_curve(self.folder, &events(training.losses()))?;
        let planned = self.settings.rounds.get().into();
        context.say(planned, planned, "judging");
        let (all_rows, validation_rows) = training.rows();
        let train_rows = windows.map_or(all_rows, |windows| {
            let first_pass = noted
                .iter()
                .take_while(|(_, place)| *place < windows.count());
            first_pass.map(|(rows, _)| rows).sum()
        });
        Ok(Ok(Grown {
            rounds: training.losses().len(),
            trees: training.finish()?.context("there is no round to grow")?,
            train_rows,
            validation_rows,
        }))
    }

    /// Makes the training run go on with the next window that has training rows.
    fn next_window(
        &self,
        windows: &Windows,
        training: &mut TreesTraining,
        noted: &mut Vec<WindowRound>,
    ) -> Result<()> {
        let planned = self.settings.rounds.get().into();
        let done = training.losses().len() as u64;
        self.context.say(done, planned, "getting rows");
        let next = noted.last().map_or(0, |(_, place)| place + 1);
        // The windows with training rows may be the first of this pass and the last of the next
        // one.
        let places = next..next + 2 * windows.count();
        let found = windows.first_of(places, self.context.stop)?;
        let (place, table) = found.ok_or(RowsError::NoRows("training"))?;
        noted.push((table.rows(), place));
        Ok(training.train_on(table)?)
    }

    /// Creates the state of the training run, and restores the folder's checkpoint if there is one.
    /// Returns it with the windows of its rounds, if they have windows.
    fn open(&self, validation: Table) -> Result<(TreesTraining, Vec<WindowRound>)> {
        let threads = self.context.threads;
        let mut training = TreesTraining::new(self.settings, self.loss, validation, threads)?;
        if let Some(Artifact { model, bytes, .. }) = &self.start
            && let AnyModel::Forest(forest) = model
        {
            training.start_from(Trees::from_xgboost(bytes, forest.trees())?);
        }
        let Some(checkpoint) = self.folder.read_checked(CHECKPOINT)? else {
            return Ok((training, Vec::new()));
        };
        let metrics = read_metrics(self.folder)?;
        let losses = metrics.iter().map(|metrics| metrics.validation_loss);
        training
            .resume(&checkpoint, losses.collect())
            .with_context(|| {
                let file = self.folder.path().join(CHECKPOINT);
                format!("{} can't be resumed from", file.display())
            })?;
        let window =
            |round: &TreesMetrics| Some((round.rows?, round.window.unwrap_or(round.round - 1)));
        let rounds = metrics.iter().take(training.losses().len());
        let noted = rounds.filter_map(window).collect();
        Ok((training, noted))
    }

    /// Grows up to `rounds` trees and records their losses. `noted` holds the windows of all
    /// rounds; it is empty if all rounds use all rows. Returns whether it was interrupted.
    fn rounds(
        &self,
        training: &mut TreesTraining,
        rounds: u32,
        noted: &[WindowRound],
    ) -> Result<bool> {
        let began = Instant::now();
        let before = training.losses().len();
        let planned = self.settings.rounds.get();
        let rows = training.rows().0;
        let loss_name = match self.loss {
            Loss::Logarithmic => "log-loss",
            Loss::SquaredError => "root mean squared error",
        };
        let is_stopped = training.grow(rounds, self.context.stop, &mut |round, loss| {
            let learnt = (rows * (round - before)) as f64;
            let rate = grouped((learnt / began.elapsed().as_secs_f64().max(1e-9)) as u64);
            let text = format!(
                "round {round} of {planned}, validation {loss_name} {loss:.6}, {rate} rows/s"
            );
            self.context.say(round as u64, planned.into(), &text);
        })?;
        let metrics = metrics(training.losses(), noted)?;
        self.folder.write(METRICS, metrics.as_bytes())?;
        Events::open(self.folder.path(), events(training.losses()).into_iter())?;
        if let Some(checkpoint) = training.checkpoint()? {
            self.folder.write_checked(CHECKPOINT, &checkpoint)?;
        }
        Ok(is_stopped)
    }

    /// Writes the feature importance and the artifact, after checking that a player's reader
    /// reproduces the trainer's predictions. Returns the hash of the artifact, and the largest
    /// difference between these predictions.
    pub fn publish(
        &self,
        trees: &Trees,
        notes: &[(&str, String)],
        test: &Table,
    ) -> Result<(String, f64)> {
        let bytes = trees.to_xgboost(self.set.names, notes)?;
        let largest_difference = round(self.read_back(trees, &bytes, test)?.into(), 9);
        self.folder.write(IMPORTANCE, &self.importance(trees)?)?;
        self.folder.write(ARTIFACT, &bytes)?;
        Ok((sha256(&bytes), largest_difference))
    }

    /// Returns the largest difference between the predictions of the trainer and those of the
    /// artifact as a player reads it, or an error if this difference exceeds the tolerance.
    fn read_back(&self, trees: &Trees, bytes: &[u8], test: &Table) -> Result<f32> {
        let artifact = Artifact::new(ARTIFACT.into(), bytes.to_vec())
            .context("the artifact just made can't be read back")?;
        artifact.check(&Expected::new("the training", self.set))?;
        let rows = &test.features[..COMPARED.min(test.rows()) * test.width];
        let mut native = Vec::new();
        let model = &artifact.model;
        model.append(rows, &mut native, &mut ModelScratch::default());
        let expected = trees.predict(rows)?;
        let largest = native
            .iter()
            .zip(&expected)
            .map(|(a, b)| (a - b).abs())
            .fold(0.0, f32::max);
        ensure!(
            largest <= READ_BACK,
            "the artifact read back differs from the trainer by {largest} on the test rows, more than {READ_BACK}"
        );
        Ok(largest)
    }

    /// Returns the table of feature importance as CSV.
    fn importance(&self, trees: &Trees) -> Result<Vec<u8>> {
        let importance = trees.importance(self.set.width()).into_iter();
        let rows = importance.map(|of| ImportanceRow {
            feature: self.set.names[of.column].to_owned(),
            share_of_gain: round(of.share_of_gain, 6),
            total_gain: round(of.total_gain, 3),
            gain_per_split: round(of.gain, 3),
            splits: of.splits,
        });
        to_csv(&rows.collect::<Vec<_>>())
    }
}

/// A row of `importance.csv`: how much one feature reduces the loss.
#[derive(Serialize)]
struct ImportanceRow {
    feature: String,
    /// The feature's share of the total loss reduction by splits.
    share_of_gain: f64,
    total_gain: f64,
    gain_per_split: f64,
    splits: f64,
}

/// The number of rows of a round's window, and the place of the window; see [`Windows::first_of`].
type WindowRound = (usize, usize);

/// Returns the rounds for TensorBoard and the learning curve.
fn events(losses: &[f64]) -> Vec<Event> {
    let rounds = losses.iter().zip(1..);
    // Losses are rounded as in the metrics, from which a resumed run reads them.
    let event = |(&loss, number)| (number, vec![("validation_loss", round(loss, 9))]);
    rounds.map(event).collect()
}

fn metrics(losses: &[f64], noted: &[WindowRound]) -> serde_json::Result<String> {
    json_lines(losses.iter().enumerate().map(|(index, &loss)| {
        let (rows, place) = noted.get(index).copied().unzip();
        TreesMetrics {
            round: index + 1,
            validation_loss: round(loss, 9),
            rows,
            window: place.filter(|&place| place != index),
        }
    }))
}

/// Reads the metrics of the folder's rounds, which may include rounds after its checkpoint.
fn read_metrics(folder: &Folder) -> Result<Vec<TreesMetrics>> {
    let place = || {
        format!(
            "{} is not a record of this training",
            folder.path().join(METRICS).display()
        )
    };
    let text = String::from_utf8(folder.read(METRICS)?.unwrap_or_default()).with_context(place)?;
    let mut noted = Vec::new();
    for line in text.lines() {
        let metrics: TreesMetrics = serde_json::from_str(line).with_context(place)?;
        ensure!(
            metrics.round == noted.len() + 1,
            "{}: round {} is out of turn",
            place(),
            metrics.round
        );
        noted.push(metrics);
    }
    Ok(noted)
}
