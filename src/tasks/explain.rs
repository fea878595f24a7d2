//! The stage `models explain`: what a model uses, how well it is calibrated, and where it errs.

use std::{collections::BTreeMap, ops::ControlFlow, path::PathBuf};

use anyhow::{Result, ensure};
use rand::seq::SliceRandom;
use serde::Serialize;
use serde_json::json;

use crate::{
    Context, Outcome, Row, Rows, Stage, as_text,
    generate::unknown_share,
    help::{EXIT_CODES, examples},
    network::{hash, open_rows},
};
use mineflow_arena::{
    Ending, Estimate, TableOf, Text,
    numbers::{ends, grouped, round},
    to_csv,
};
use mineflow_learn::{
    data::{Manifest, Split, Table, read_decisions},
    train::{Loss, trees::Trees},
};
use mineflow_model::{AnyModel, Artifact, Expected, FeatureSet, ModelScratch};
use mineflow_rng::Seed;
use mineflow_store::{Purpose, StoreError, object};

const RESULTS: &[&str] = &["explain.csv"];
/// The number of guesses of a game that are early.
const EARLY: u32 = 3;

/// Show what a model uses, its calibration, and its loss by kind of position
///
/// Reads held-out rows of a data folder: games of the training split are never used. The importance
/// of a feature is the rise of the mean loss if its values are permuted among all rows; for trees,
/// its share of the gain of all splits is shown too. Calibration compares mean prediction and mean
/// target in ten groups of equal size, ordered by prediction. The loss is the log-loss of
/// probabilities and the squared error of other predictions; kinds of position with less than 1 %
/// of the rows are left out. Intervals are 95 % and clustered by game.
#[derive(clap::Args, Serialize)]
#[command(after_help = examples(&[
            "models explain trees.json --data rows",
            "models explain network.safetensors --data rows --against trees.json --split validation",
        ], EXIT_CODES))]
pub struct Explain {
    /// Explain the model in this file, or in the folder of a training
    pub file: PathBuf,
    /// Read the rows of this data folder
    #[arg(long, value_name = "DIR")]
    pub data: PathBuf,
    /// Compare with the model in this file on the same rows
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    /// Use the games of this split: test or validation
    #[arg(long, value_name = "SPLIT", default_value_t = Split::Test)]
    #[serde(serialize_with = "as_text::one")]
    pub split: Split,
}

impl Stage for Explain {
    fn check(&self) -> Result<()> {
        let split = self.split;
        let is_held_out = [Split::Validation, Split::Test].contains(&split);
        ensure!(
            is_held_out,
            "--split {split} has rows that models are trained on; give test or validation"
        );
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> Result<Outcome> {
        let (folders, _) = open_rows(std::slice::from_ref(&self.data))?;
        let (set, manifest) = (folders.set, &folders.folders[0].1);
        let load = |file: &PathBuf| Artifact::load(file, &Expected::new("--data", set));
        let model = load(&self.file)?;
        let against = self.against.as_ref().map(load).transpose()?;
        let settings = object(json!({
            "command": "models explain",
            "model": model.sha256,
            "against": against.as_ref().map(|model| &model.sha256),
            "data": hash(&folders)?,
            "split": self.split.name(),
            "seed": context.seed,
        }));
        let out = context.open_if_given(&Purpose {
            own: RESULTS,
            results: RESULTS,
            ..Purpose::of(settings)
        })?;
        let mut tables = folders.tables(&[self.split], context.read_limits())?;
        let held_out = HeldOut {
            set,
            table: tables.remove(0),
        };
        let features = &held_out.table.features;
        let (predicted, losses) = held_out.judge(&model, features);
        let mut rows = held_out.importance(&model, &losses, context)?;
        rows.extend(held_out.calibration(&predicted));
        let slices = self.slices(manifest, &held_out.table, context)?;
        let mut parts = vec![("loss", losses)];
        if let Some(other) = against {
            let theirs = held_out.judge(&other, features).1;
            parts.push(("difference", minus(&parts[0].1, &theirs)));
        }
        for (part, values) in &parts {
            let row = |(name, of): (&String, &Vec<usize>)| held_out.row(part, name, of, values);
            rows.extend(slices.iter().map(row));
        }
        if let Some(mut out) = out {
            out.write(RESULTS[0], &to_csv(&rows)?)?;
            out.finish(&rows.len(), context.stop)?;
        }
        Ok(Outcome::Done(Box::new(Rows(rows))))
    }
}

impl Explain {
    /// Returns the rows of each kind of position, by name.
    fn slices(
        &self,
        manifest: &Manifest,
        table: &Table,
        context: &Context<'_>,
    ) -> Result<BTreeMap<String, Vec<usize>>> {
        let mut slices: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut row = 0;
        for shard in &manifest.shards {
            for guess in read_decisions(&self.data, shard, context.stop)? {
                if !self.split.holds(guess.seed) {
                    continue;
                }
                let rows = row..row + guess.rows as usize;
                row = rows.end;
                let cells = (guess.width * guess.height) as usize;
                let band = (4.0 * unknown_share(&guess.cells, cells)).ceil().max(1.0) / 4.0;
                let when = if guess.turn < EARLY { "first" } else { "after" };
                for name in [
                    "all".to_owned(),
                    format!("board {}x{}/{}", guess.width, guess.height, guess.mines),
                    format!("unknown {}-{band}", band - 0.25),
                    format!("{when} {EARLY} guesses"),
                ] {
                    slices.entry(name).or_default().extend(rows.clone());
                }
            }
        }
        let (folder, found) = (self.data.display(), table.rows());
        ensure!(
            row == found,
            "{folder} has {found} rows, and its decisions made {row}; `pipeline data verify` finds the fault"
        );
        slices.retain(|_, rows| rows.len() * 100 >= found);
        Ok(slices)
    }
}

/// The rows that explain a model.
struct HeldOut {
    set: &'static FeatureSet,
    table: Table,
}

impl HeldOut {
    /// Returns the predictions for `features`, and the loss of each: the log-loss of probabilities,
    /// or else the squared error.
    fn judge(&self, model: &Artifact, features: &[f32]) -> (Vec<f32>, Vec<f64>) {
        let mut predicted = Vec::new();
        let model = &model.model;
        model.append(features, &mut predicted, &mut ModelScratch::default());
        let loss = |(&predicted, &label): (&f32, &f32)| {
            let (predicted, label) = (f64::from(predicted), f64::from(label));
            match Loss::of(self.set.target) {
                Loss::SquaredError => (predicted - label) * (predicted - label),
                Loss::Logarithmic => {
                    let p = predicted.clamp(1e-7, 1.0 - 1e-7);
                    -label * libm::log(p) - (1.0 - label) * libm::log(1.0 - p)
                }
            }
        };
        let losses = predicted.iter().zip(&self.table.target).map(loss).collect();
        (predicted, losses)
    }

    /// Returns the mean of `values`, one of each row, over some rows.
    fn row(&self, part: &'static str, name: &str, rows: &[usize], values: &[f64]) -> ExplainRow {
        let values = rows.iter().map(|&row| (self.table.game[row], values[row]));
        let of = Estimate::clustered(values);
        ExplainRow {
            part,
            name: name.to_owned(),
            rows: rows.len(),
            gain_share: None,
            predicted: None,
            value: round(of.value, 6),
            low: round(of.low, 6),
            high: round(of.high, 6),
        }
    }

    /// Returns the importance of each feature, the highest first.
    ///
    /// # Errors
    /// Returns [`StoreError::Stopped`] after an interruption.
    fn importance(
        &self,
        model: &Artifact,
        losses: &[f64],
        context: &Context<'_>,
    ) -> Result<Vec<ExplainRow>> {
        let width = self.set.width();
        let gains = gains(model, width);
        let all: Vec<usize> = (0..self.table.rows()).collect();
        let mut rows = Vec::new();
        let ending = context.workers().run_in_order(
            0..width,
            || (),
            |(), column| {
                let mut order = all.clone();
                let seed = Seed::new(context.seed).child("permutation", column as u64);
                order.shuffle(&mut seed.rng());
                let mut features = self.table.features.clone();
                for (row, from) in order.into_iter().enumerate() {
                    features[row * width + column] = self.table.row(from)[column];
                }
                let (_, permuted) = self.judge(model, &features);
                let more = minus(&permuted, losses);
                ExplainRow {
                    gain_share: gains.as_ref().map(|gains| round(gains[column], 6)),
                    ..self.row("importance", self.set.names[column], &all, &more)
                }
            },
            |row| {
                rows.extend(row);
                context.count("features", rows.len() as u64, width as u64, "");
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        ensure!(ending == Ending::Finished, StoreError::Stopped);
        rows.sort_by(|a, b| b.value.total_cmp(&a.value));
        Ok(rows)
    }

    /// Returns mean prediction and mean target in ten groups of equal size, ordered by prediction.
    fn calibration(&self, predicted: &[f32]) -> Vec<ExplainRow> {
        let mut order: Vec<usize> = (0..predicted.len()).collect();
        order.sort_by(|&a, &b| predicted[a].total_cmp(&predicted[b]));
        let predicted: Vec<f64> = predicted.iter().copied().map(f64::from).collect();
        let targets: Vec<f64> = self.table.target.iter().copied().map(f64::from).collect();
        let row = |(rows, tenth): (&[usize], u32)| {
            let name = format!("tenth {tenth}");
            let mean = |values| self.row("calibration", &name, rows, values);
            ExplainRow {
                predicted: Some(mean(&predicted).value),
                ..mean(&targets)
            }
        };
        let groups = order.chunks(order.len().div_ceil(10)).zip(1..);
        groups.map(row).collect()
    }
}

fn minus(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

/// Returns the share of each column in the gain of all splits, if the model has trees.
fn gains(model: &Artifact, width: usize) -> Option<Vec<f64>> {
    let AnyModel::Forest(forest) = &model.model else {
        return None;
    };
    let trees = Trees::from_xgboost(&model.bytes, forest.trees()).ok()?;
    let importance = trees.importance(width);
    Some(importance.iter().map(|of| of.share_of_gain).collect())
}

/// A row of `explain.csv`.
#[derive(Serialize)]
pub struct ExplainRow {
    /// `importance`, `calibration`, `loss`, or `difference` from the model of `--against`.
    pub part: &'static str,
    /// The feature, the tenth of the predictions, or the kind of position.
    pub name: String,
    pub rows: usize,
    /// The share of the gain of trees, of a feature.
    pub gain_share: Option<f64>,
    /// The mean prediction, of a tenth.
    pub predicted: Option<f64>,
    /// The rise of the loss if the feature is permuted, the mean target, the mean loss or the mean
    /// difference of losses, with its 95 % interval, clustered by game.
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Row for ExplainRow {
    fn text(rows: &[Self]) -> Text {
        let shown = |value: Option<f64>| value.map_or_else(String::new, |of| format!("{of:.5}"));
        TableOf::new(rows)
            .left("part", |row| row.part)
            .left("of", |row| &row.name)
            .right("rows", |row| grouped(row.rows as u64))
            .right("gain share", |row| shown(row.gain_share))
            .right("predicted", |row| shown(row.predicted))
            .right("value", |row| shown(Some(row.value)))
            .right("95 %", |row| ends(row.low, row.high, 5))
            .text()
    }
}
