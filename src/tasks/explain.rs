//! The stage `models explain`: what a model uses, how well it is calibrated, and where it errs.

use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use rand::seq::SliceRandom;
use serde::Serialize;
use serde_json::{Value, json};

use crate::as_text;
use crate::generate::unknown_share;
use crate::help::{EXIT_CODES, examples};
use crate::network::hash;
use crate::{Context, Outcome, Row, Rows, Stage};
use mineflow_arena::numbers::{ends, grouped, round};
use mineflow_arena::{Ending, Estimate, TableOf, Text, to_csv};
use mineflow_learn::data::{DataFolders, Manifest, Split, Table, read_decisions};
use mineflow_minesweeper::features::feature_set;
use mineflow_model::{AnyModel, Artifact, Expected, FeatureSet, ModelScratch, Target};
use mineflow_rng::Seed;
use mineflow_store::{Purpose, object};

const RESULTS: &[&str] = &["explain.csv"];
/// The number of boards that have rows of their own; the rows of further boards are joined.
const BOARDS: usize = 10;
/// The number of guesses of a game that are early.
const EARLY: u32 = 3;
/// The parts of the answer, each with the headings of `name`, `beside` and `value`.
const PARTS: [[&str; 4]; 4] = [
    [
        "importance",
        "feature",
        "share of gain",
        "more loss if permuted",
    ],
    ["calibration", "tenth", "predicted", "target"],
    ["loss", "rows of", "", "loss"],
    ["difference", "rows of", "", "loss less that of --against"],
];

/// Show what a model uses, its calibration, and its loss by kind of position
///
/// Reads held-out rows of a data folder: games of the training split are never used. The importance
/// of a feature is the rise of the mean loss if its values are permuted among all rows; for trees,
/// its share of the gain of all splits is shown too. Calibration compares mean prediction and mean
/// target in ten groups of equal size, ordered by prediction. The loss is the log-loss of
/// probabilities and the squared error of other predictions. Intervals are 95 % and clustered by
/// game.
#[derive(Clone, Debug, clap::Args, Serialize)]
#[command(after_help = examples(&[
            "models explain trees/artifact.json --data rows",
            "models explain trees --data rows --against other/artifact.json --split validation",
        ], EXIT_CODES))]
#[serde(rename_all = "kebab-case")]
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
    fn check(&self) -> anyhow::Result<()> {
        let split = self.split;
        let is_held_out = [Split::Validation, Split::Test].contains(&split);
        ensure!(
            is_held_out,
            "--split {split} has rows that models are trained on; give test or validation"
        );
        Ok(())
    }

    fn run(&self, context: &Context<'_>) -> anyhow::Result<Outcome> {
        let manifest = Manifest::of_finished(&self.data)?;
        let features = feature_set(&manifest.features);
        let folder = self.data.display();
        let set = features
            .with_context(|| {
                format!(
                    "{folder}: this version has no features {}",
                    manifest.features
                )
            })?
            .set();
        let model = load(&self.file, set)?;
        let against = self.against.as_deref().map(|file| load(file, set));
        let against = against.transpose()?;
        let folders = DataFolders::open(std::slice::from_ref(&self.data), set)?;
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
        let table = folders
            .tables(&[self.split], context.read_limits())?
            .remove(0);
        let predicted = predictions(&model, &table.features);
        let losses = losses(&predicted, &table, set.target);
        let Some(mut rows) = importance(&model, (set, &table, &losses), context)? else {
            let kept = "nothing is kept; the same command starts again";
            return Ok(Outcome::Interrupted(kept.to_owned()));
        };
        rows.extend(calibration(&predicted, &table));
        let slices = self.slices(&manifest, &table, context)?;
        rows.extend(by_slice("loss", &slices, &table, &losses));
        if let Some(other) = against {
            let theirs = self::losses(&predictions(&other, &table.features), &table, set.target);
            let pairs = losses.iter().zip(theirs);
            let less: Vec<f64> = pairs.map(|(own, other)| own - other).collect();
            rows.extend(by_slice("difference", &slices, &table, &less));
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
    ) -> anyhow::Result<BTreeMap<String, Vec<usize>>> {
        let mut slices: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut boards: HashMap<String, Vec<usize>> = HashMap::new();
        let mut row = 0;
        for shard in &manifest.shards {
            for guess in read_decisions(&self.data, shard, context.stop)? {
                if !self.split.holds(guess.seed) {
                    continue;
                }
                let rows = row..row + guess.rows as usize;
                row = rows.end;
                let board = format!("{}x{}/{}", guess.width, guess.height, guess.mines);
                boards.entry(board).or_default().extend(rows.clone());
                let cells = (guess.width * guess.height) as usize;
                let band = (4.0 * unknown_share(&guess.cells, cells)).ceil().max(1.0) / 4.0;
                let when = if guess.turn < EARLY { "first" } else { "after" };
                for name in [
                    "all".to_owned(),
                    format!("unknown cells {} to {band}", band - 0.25),
                    format!("{when} {EARLY} guesses"),
                ] {
                    slices.entry(name).or_default().extend(rows.clone());
                }
            }
        }
        let folder = self.data.display();
        ensure!(
            row == table.rows(),
            "{folder}: its decisions made {row} rows, and it has {}; `pipeline data verify` finds the fault",
            table.rows()
        );
        let mut boards: Vec<_> = boards.into_iter().collect();
        boards.sort_by(|a, b| (b.1.len(), &a.0).cmp(&(a.1.len(), &b.0)));
        for (place, (board, rows)) in boards.into_iter().enumerate() {
            let board = if place < BOARDS { &board } else { "others" };
            slices
                .entry(format!("board {board}"))
                .or_default()
                .extend(rows);
        }
        slices.retain(|_, rows| !rows.is_empty());
        Ok(slices)
    }
}

/// Reads a model and checks that it reads rows of `set`.
fn load(file: &Path, set: &'static FeatureSet) -> anyhow::Result<Artifact> {
    Ok(Artifact::load(file, &Expected::new("--data", set))?)
}

fn predictions(model: &Artifact, rows: &[f32]) -> Vec<f32> {
    let mut predicted = Vec::new();
    model
        .model
        .append(rows, &mut predicted, &mut ModelScratch::default());
    predicted
}

/// Returns the loss of each prediction: the log-loss of probabilities, or else the squared error.
fn losses(predicted: &[f32], table: &Table, target: Target) -> Vec<f64> {
    let loss = |(&predicted, &label): (&f32, &f32)| {
        let (predicted, label) = (f64::from(predicted), f64::from(label));
        if matches!(target, Target::Return | Target::Gain) {
            return (predicted - label) * (predicted - label);
        }
        let p = predicted.clamp(1e-7, 1.0 - 1e-7);
        -label * libm::log(p) - (1.0 - label) * libm::log(1.0 - p)
    };
    predicted.iter().zip(&table.target).map(loss).collect()
}

/// Returns the importance of each feature, the highest first, or `None` after an interruption.
fn importance(
    model: &Artifact,
    (set, table, losses): (&FeatureSet, &Table, &[f64]),
    context: &Context<'_>,
) -> anyhow::Result<Option<Vec<ExplainRow>>> {
    let gains = gains(model, set.width());
    let mut rows = Vec::new();
    let all: Vec<usize> = (0..table.rows()).collect();
    let ending = context.workers().run_in_order(
        0..set.width(),
        || table.features.clone(),
        |features, column| {
            let mut order = all.clone();
            let seed = Seed::new(context.seed).child("permutation", column as u64);
            order.shuffle(&mut seed.rng());
            let width = set.width();
            for (row, &from) in order.iter().enumerate() {
                features[row * width + column] = table.features[from * width + column];
            }
            let permuted = self::losses(&predictions(model, features), table, set.target);
            for row in 0..table.rows() {
                features[row * width + column] = table.features[row * width + column];
            }
            let more: Vec<f64> = permuted.iter().zip(losses).map(|(a, b)| a - b).collect();
            let gain = gains.as_ref().map(|gains| gains[column]);
            ExplainRow::new("importance", set.names[column], gain, (table, &all, &more))
        },
        |row| {
            rows.extend(row);
            context.count("features", rows.len() as u64, set.width() as u64, "");
            anyhow::Ok(ControlFlow::Continue(()))
        },
    )?;
    rows.sort_by(|a, b| b.value.total_cmp(&a.value));
    Ok((ending == Ending::Finished).then_some(rows))
}

/// Returns the share of each column in the gain of all splits, if the file of the trees states it.
fn gains(model: &Artifact, width: usize) -> Option<Vec<f64>> {
    let AnyModel::Forest(forest) = &model.model else {
        return None;
    };
    let file: Value = serde_json::from_slice(&model.bytes).ok()?;
    let trees = file.pointer("/learner/gradient_booster/model/trees")?;
    let mut gains = vec![0.0; width];
    for tree in trees.as_array()?.iter().take(forest.trees()) {
        let columns = tree["split_indices"].as_array()?.iter();
        for (column, gain) in columns.zip(tree["loss_changes"].as_array()?) {
            // The gain of a leaf is 0.
            *gains.get_mut(column.as_u64()? as usize)? += gain.as_f64()?;
        }
    }
    let sum: f64 = gains.iter().sum();
    (sum > 0.0).then(|| gains.iter().map(|gain| gain / sum).collect())
}

/// Returns mean prediction and mean target in ten groups of equal size, ordered by prediction.
fn calibration(predicted: &[f32], table: &Table) -> Vec<ExplainRow> {
    let mut order: Vec<usize> = (0..table.rows()).collect();
    order.sort_by(|&a, &b| predicted[a].total_cmp(&predicted[b]));
    let targets: Vec<f64> = table.target.iter().map(|&target| target.into()).collect();
    let group = |tenth: usize| {
        let rows = &order[tenth * order.len() / 10..(tenth + 1) * order.len() / 10];
        let sum: f64 = rows.iter().map(|&row| f64::from(predicted[row])).sum();
        let mean = sum / rows.len() as f64;
        let name = (tenth + 1).to_string();
        (!rows.is_empty())
            .then(|| ExplainRow::new("calibration", &name, Some(mean), (table, rows, &targets)))
    };
    (0..10).filter_map(group).collect()
}

fn by_slice<'a>(
    part: &'static str,
    slices: &'a BTreeMap<String, Vec<usize>>,
    table: &'a Table,
    values: &'a [f64],
) -> impl Iterator<Item = ExplainRow> + 'a {
    slices
        .iter()
        .map(move |(name, rows)| ExplainRow::new(part, name, None, (table, rows, values)))
}

/// A row of `explain.csv`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ExplainRow {
    /// `importance`, `calibration`, `loss`, or `difference` from the model of `--against`.
    pub part: &'static str,
    /// The feature, the tenth of the predictions, or the kind of position.
    pub name: String,
    pub rows: usize,
    /// The share of the gain of trees, or the mean prediction.
    pub beside: Option<f64>,
    /// The rise of the loss if the feature is permuted, the mean target, the mean loss or the mean
    /// difference of losses, with its 95 % interval, clustered by game.
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl ExplainRow {
    fn new(
        part: &'static str,
        name: &str,
        beside: Option<f64>,
        (table, rows, values): (&Table, &[usize], &[f64]),
    ) -> Self {
        let of = Estimate::clustered(rows.iter().map(|&row| (table.game[row], values[row])));
        Self {
            part,
            name: name.to_owned(),
            rows: rows.len(),
            beside: beside.map(|value| round(value, 6)),
            value: round(of.value, 6),
            low: round(of.low, 6),
            high: round(of.high, 6),
        }
    }
}

impl Row for ExplainRow {
    fn text(rows: &[Self]) -> Text {
        let mut text = Text::default();
        for [part, name, beside, value] in PARTS {
            let rows: Vec<&Self> = rows.iter().filter(|row| row.part == part).collect();
            let Some(first) = rows.first() else { continue };
            let number = |value: f64| format!("{value:.6}");
            let mut table = TableOf::new(&rows).left(name, |row| &row.name);
            if first.beside.is_some() {
                table = table.right(beside, |row| row.beside.map_or_else(String::new, number));
            }
            text = text.then(
                table
                    .right("rows", |row| grouped(row.rows as u64))
                    .right(value, |row| number(row.value))
                    .right("95 %", |row| ends(row.low, row.high, 6))
                    .text(),
            );
        }
        text
    }
}
