//! What the training stages leave in their folders.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::files::{csv_rows, json, json_lines, ratio};
use crate::error::ReportError;
use mineflow_stage::training_records::{AlphaResult, ImportanceRow, Metrics, SweepRow, TargetRow, TreesMetrics};

/// A training as its folder describes it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TrainingRun<R> {
    /// Its settings and its result; empty where the folder has no manifest.
    pub(crate) settings: Map<String, Value>,
    pub(crate) result: Map<String, Value>,
    pub(crate) rounds: Vec<R>,
}

impl<R> TrainingRun<R> {
    /// A number of the result.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        self.result.get(name).and_then(Value::as_f64)
    }
}

/// The parts of a `manifest.json` that the report shows.
#[derive(Default, Deserialize)]
struct TrainingManifest {
    settings: Map<String, Value>,
    #[serde(default)]
    result: Map<String, Value>,
}

/// The training of trees, and what each feature is worth to them, if its folder says so.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct TreesRun {
    pub(crate) run: TrainingRun<TreesMetrics>,
    pub(crate) importance: Option<Vec<ImportanceRow>>,
}

/// A search for alpha.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AlphaRun {
    pub(crate) fit: AlphaResult,
    pub(crate) sweep: Vec<SweepRow>,
    pub(crate) targets: Vec<TargetRow>,
}

/// The training of a network in `folder`, `None` if it has no metrics.
pub(crate) fn network(folder: &Path) -> Result<Option<TrainingRun<Metrics>>, ReportError> {
    run(folder, |round: &Metrics| {
        [round.loss, round.figures.validation_loss].iter().all(|loss| loss.is_finite())
            && round.figures.won.is_none_or(|won| (0.0..=1.0).contains(&won.win_ratio))
    })
}

/// The training of trees in `folder`, `None` if it has no metrics.
pub(crate) fn trees(folder: &Path) -> Result<Option<TreesRun>, ReportError> {
    let run = run(folder, |round: &TreesMetrics| round.validation_log_loss.is_finite())?;
    let importance = csv_rows(&folder.join("importance.csv"), |row: &ImportanceRow| {
        ratio("share_of_gain", row.share_of_gain)?;
        let rest = [row.gain_a_split, row.splits];
        if rest.iter().all(|value| value.is_finite()) { Ok(()) } else { Err("a number is not finite".to_owned()) }
    })?;
    Ok(run.map(|run| TreesRun { run, importance }))
}

/// The search for alpha in `folder`, `None` if a part of it is missing.
pub(crate) fn alpha(folder: &Path) -> Result<Option<AlphaRun>, ReportError> {
    let fit = json(&folder.join("alpha.json"))?;
    let sweep = csv_rows(&folder.join("sweep.csv"), |row: &SweepRow| {
        ratio("alpha", row.alpha)?;
        ratio("mine_ratio", row.mine_ratio)?;
        if row.wins <= row.games && row.games > 0 {
            Ok(())
        } else {
            Err(format!("{} wins in {} games", row.wins, row.games))
        }
    })?;
    let targets = csv_rows(&folder.join("targets.csv"), |row: &TargetRow| {
        ratio("alpha", row.alpha)?;
        ratio("fitted", row.fitted)
    })?;
    Ok(fit.zip(sweep).zip(targets).map(|((fit, sweep), targets)| AlphaRun { fit, sweep, targets }))
}

fn run<R: for<'a> Deserialize<'a>>(
    folder: &Path,
    is_sound: impl Fn(&R) -> bool,
) -> Result<Option<TrainingRun<R>>, ReportError> {
    let metrics = folder.join("metrics.jsonl");
    let Some(rounds) = json_lines::<R>(&metrics)? else {
        return Ok(None);
    };
    if let Some(index) = rounds.iter().position(|round| !is_sound(round)) {
        return Err(ReportError::line(&metrics, index as u64 + 1, "a loss or ratio is out of range"));
    }
    let TrainingManifest { settings, result } = json(&folder.join("manifest.json"))?.unwrap_or_default();
    Ok(Some(TrainingRun { settings, result, rounds }))
}
