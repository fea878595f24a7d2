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

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, ensure};
use serde_json::{Map, Value, json};

use crate::network::note_windows;
use crate::training_records::{ImportanceRow, TreesMetrics};
use crate::values::check_range;
use crate::{Context, Outcome, json_lines};
use mineflow_arena::numbers::grouped;
use mineflow_arena::{numbers::round, to_csv};
use mineflow_learn::data::{DataError, ExtraMemory, Rows, Split, Table, Windows, read_table};
use mineflow_learn::train::trees::{
    Importance, Loss, Pause, Trees, TreesError, TreesSettings, TreesTraining,
};
use mineflow_model::{Artifact, Expected, FeatureSet, ModelScratch};
use mineflow_store::{Folder, object, sha256};

pub(super) const ARTIFACT: &str = "artifact.json";
const IMPORTANCE: &str = "importance.csv";
/// The files that count as results.
pub(super) const RESULTS: &[&str] = &[ARTIFACT, IMPORTANCE];
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
pub(super) fn check_growing(settings: &TreesSettings) -> anyhow::Result<()> {
    let &TreesSettings {
        learning_rate,
        l2,
        leaf_weight,
        bins,
        ..
    } = settings;
    ensure!(
        learning_rate > 0.0 && learning_rate.is_finite(),
        "--learning-rate {learning_rate} is not a number above 0"
    );
    for (name, value) in [("l2", l2), ("leaf-weight", leaf_weight)] {
        ensure!(
            value >= 0.0 && value.is_finite(),
            "--{name} {value} is not a number from 0 on"
        );
    }
    check_range("bins", bins, 2..=65_536)
}

/// Gradient boosting with its settings, in the context of a stage.
pub(super) struct Boosting<'a> {
    pub(super) context: &'a Context<'a>,
    pub(super) settings: TreesSettings,
    pub(super) loss: Loss,
    /// Number of rounds between checkpoints.
    pub(super) checkpoint_every: NonZeroU32,
    pub(super) set: &'static FeatureSet,
}

/// A finished ensemble of trees.
pub(super) struct Grown {
    pub(super) trees: Trees,
    /// Number of rounds grown. The ensemble keeps the trees up to the round with the lowest
    /// validation loss.
    pub(super) rounds: usize,
    pub(super) train_rows: usize,
    pub(super) validation_rows: usize,
}

/// A published artifact.
pub(super) struct Published {
    pub(super) sha256: String,
    /// The largest difference between the predictions of the trainer and those of the artifact that
    /// was read back.
    pub(super) largest_difference: f64,
}

/// Rows by split: training, validation and test.
pub(super) struct TreesRows {
    pub(super) train: Rows,
    pub(super) validation: Table,
    pub(super) test: Table,
}

impl TreesRows {
    /// Reads the rows of data folders. With `windows`, the training rows are read later, one window
    /// at a time.
    pub(super) fn read(
        data: &[PathBuf],
        set: &FeatureSet,
        windows: Option<&Windows>,
        context: &Context<'_>,
    ) -> Result<Self, DataError> {
        let held_out = |split| match windows {
            Some(windows) => windows.held_out(split, context.stop),
            None => read_table(data, set, split, context.read_limits()),
        };
        let train = match windows {
            Some(windows) => Rows::Windows(windows.clone()),
            None => Rows::Whole(read_table(data, set, Split::Train, context.read_limits())?),
        };
        Ok(Self {
            train,
            validation: held_out(Split::Validation)?,
            test: held_out(Split::Test)?,
        })
    }
}

/// Returns the boosting settings as manifests record them, with the size of the windows if there
/// are any.
pub(super) fn described(settings: &TreesSettings, windows: Option<&Windows>) -> Map<String, Value> {
    let &TreesSettings {
        rounds,
        patience,
        learning_rate,
        depth,
        l2,
        leaf_weight,
        bins,
        falling,
    } = settings;
    let mut described = object(json!({
        "rounds": rounds,
        "patience": patience,
        "learning_rate": learning_rate,
        "depth": depth,
        "l2": l2,
        "leaf_weight": leaf_weight,
        "bins": bins,
    }));
    described.extend(falling.map(|_| ("monotone".to_owned(), json!(true))));
    described.extend(windows.map(|windows| ("window".to_owned(), json!(windows.rows()))));
    described
}

impl Boosting<'_> {
    /// Grows trees from the folder's checkpoint to the end, or stops soon after an interruption.
    /// Every round is recorded, and checkpoints are written periodically. With windows, every round
    /// grows its tree on the next window, on top of the margins of the earlier trees.
    pub(super) fn grow(
        &self,
        train: Rows,
        validation: Table,
        folder: &Folder,
    ) -> anyhow::Result<Result<Grown, Outcome>> {
        let context = self.context;
        let planned = self.settings.rounds as u64;
        let (mut training, mut noted) = self.open(validation, folder)?;
        let windows = match train {
            Rows::Whole(table) => {
                training.train_on(table)?;
                None
            }
            Rows::Windows(windows) => {
                if noted.is_empty() {
                    note_windows(context, &windows);
                }
                Some(windows)
            }
        };
        let pause = loop {
            if training.is_finished() {
                break Pause::Finished;
            }
            let mut rounds = self.checkpoint_every.get();
            if let Some(windows) = &windows {
                context.say(training.losses().len() as u64, planned, "getting rows");
                let next = noted.last().map_or(0, |(_, place)| place + 1);
                // The windows with training rows may be the first of this pass and the last of the
                // next one.
                let places = next..next + 2 * windows.count();
                let found = windows.first_of(places, context.stop)?;
                let (place, table) = found.ok_or(TreesError::NoRows("training"))?;
                noted.push((table.rows(), place));
                training.train_on(table)?;
                rounds = 1;
            }
            let pause = self.rounds(&mut training, rounds, &noted, folder)?;
            if pause != Pause::Rounds {
                break pause;
            }
        };
        let train_rows = match &windows {
            None => training.rows().0,
            Some(windows) => noted
                .iter()
                .take_while(|(_, place)| *place < windows.count())
                .map(|(rows, _)| rows)
                .sum(),
        };
        if pause == Pause::Stopped {
            return Ok(Err(
                context.interrupted(&format!("{} rounds", training.losses().len()))
            ));
        }
        context.say(planned, planned, "judging");
        let rounds = training.losses().len();
        let validation_rows = training.rows().1;
        let trees = training.finish()?.context("there is no round to grow")?;
        Ok(Ok(Grown {
            trees,
            rounds,
            train_rows,
            validation_rows,
        }))
    }

    /// Creates the state of the training run, and restores the folder's checkpoint if there is one.
    /// Returns it with the windows of its rounds, if they have windows.
    fn open(
        &self,
        validation: Table,
        folder: &Folder,
    ) -> anyhow::Result<(TreesTraining, Vec<WindowRound>)> {
        let settings = self.settings;
        let threads = self.context.threads;
        let mut training = TreesTraining::new(settings, self.loss, validation, threads)?;
        let Some(checkpoint) = folder.read_checked(CHECKPOINT)? else {
            return Ok((training, Vec::new()));
        };
        let metrics = read_metrics(folder)?;
        let losses = metrics.iter().map(|metrics| metrics.validation_loss);
        training
            .resume(&checkpoint, losses.collect())
            .with_context(|| {
                let file = folder.path().join(CHECKPOINT);
                format!("{} can't be resumed from", file.display())
            })?;
        let noted = metrics
            .iter()
            .take(training.losses().len())
            .filter_map(|metrics| {
                Some((metrics.rows?, metrics.window.unwrap_or(metrics.round - 1)))
            });
        Ok((training, noted.collect()))
    }

    /// Grows up to `rounds` trees and records their losses. `noted` holds the windows of all
    /// rounds; it is empty if all rounds use all rows.
    fn rounds(
        &self,
        training: &mut TreesTraining,
        rounds: u32,
        noted: &[WindowRound],
        folder: &Folder,
    ) -> anyhow::Result<Pause> {
        let began = Instant::now();
        let before = training.losses().len();
        let context = self.context;
        let planned = self.settings.rounds;
        let learnt = training.rows().0;
        let loss_name = match self.loss {
            Loss::Logarithmic => "log-loss",
            Loss::SquaredError => "root mean squared error",
        };
        let pause = training.grow(rounds, context.stop, &mut |round| {
            let learnt = (learnt * (round.round - before)) as f64;
            let rows_per_second = learnt / began.elapsed().as_secs_f64().max(1e-9);
            let at = round.round;
            let loss = round.validation_loss;
            let rate = grouped(rows_per_second as u64);
            let text =
                format!("round {at} of {planned}, validation {loss_name} {loss:.6}, {rate} rows/s");
            context.say(at as u64, planned as u64, &text);
        })?;
        folder.write(METRICS, metrics(training.losses(), noted)?.as_bytes())?;
        if let Some(checkpoint) = training.checkpoint()? {
            folder.write_checked(CHECKPOINT, &checkpoint)?;
        }
        Ok(pause)
    }

    /// Writes the feature importance and the artifact, after checking that a player's reader
    /// reproduces the trainer's predictions.
    pub(super) fn publish(
        &self,
        trees: &Trees,
        notes: &[(&str, String)],
        test: &Table,
        folder: &Folder,
    ) -> anyhow::Result<Published> {
        let bytes = trees.to_xgboost(self.set.names, notes)?;
        let largest_difference = round(self.read_back(trees, &bytes, test)?.into(), 9);
        folder.write(IMPORTANCE, &self.importance(trees)?)?;
        folder.write(ARTIFACT, &bytes)?;
        Ok(Published {
            sha256: sha256(&bytes),
            largest_difference,
        })
    }

    /// Returns the largest difference between the predictions of the trainer and those of the
    /// artifact as a player reads it, or an error if this difference exceeds the tolerance.
    fn read_back(&self, trees: &Trees, bytes: &[u8], test: &Table) -> anyhow::Result<f32> {
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
    fn importance(&self, trees: &Trees) -> anyhow::Result<Vec<u8>> {
        let importance = trees.importance(self.set.width());
        let all: f64 = importance.iter().map(|of| of.total_gain).sum();
        let row = |of: &Importance| ImportanceRow {
            feature: self.set.names[of.column].to_owned(),
            share_of_gain: round(of.total_gain / all.max(f64::MIN_POSITIVE), 6),
            total_gain: round(of.total_gain, 3),
            gain_per_split: round(of.gain, 3),
            splits: of.splits,
        };
        to_csv(&importance.iter().map(row).collect::<Vec<_>>())
    }
}

/// The number of rows of a round's window, and the place of the window; see [`Windows::first_of`].
type WindowRound = (usize, usize);

fn metrics(losses: &[f64], noted: &[WindowRound]) -> serde_json::Result<String> {
    json_lines(losses.iter().enumerate().map(|(index, &loss)| {
        let window = noted.get(index);
        TreesMetrics {
            round: index + 1,
            validation_loss: round(loss, 9),
            rows: window.map(|&(rows, _)| rows),
            window: window
                .map(|&(_, place)| place)
                .filter(|&place| place != index),
        }
    }))
}

/// Reads the metrics of the folder's rounds, which may include rounds after its checkpoint.
fn read_metrics(folder: &Folder) -> anyhow::Result<Vec<TreesMetrics>> {
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
