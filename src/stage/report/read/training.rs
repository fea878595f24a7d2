//! What the training commands leave in their folders. Only what the report shows is read: builds without the feature `train` have no
//! training stages but make reports, and old records lack the rest.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::files::{csv_rows, json, json_lines, ratio};
use crate::stage::report::error::ReportError;

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
    pub(crate) run: TrainingRun<TreeRound>,
    pub(crate) importance: Option<Vec<FeatureGain>>,
}

/// A search for alpha.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct AlphaRun {
    pub(crate) fit: AlphaRecord,
    pub(crate) sweep: Vec<SweptAlpha>,
    pub(crate) targets: Vec<BestAlpha>,
}

/// A round of a network's training.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct NetworkRound {
    /// `epoch` or `episode`.
    pub(crate) round: String,
    /// Counted from 1.
    pub(crate) number: u32,
    pub(crate) loss: f64,
    pub(crate) validation_loss: f64,
    pub(crate) win_ratio: Option<f64>,
}

/// A round of boosting.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct TreeRound {
    /// Counted from 1.
    pub(crate) round: u32,
    pub(crate) validation_log_loss: f64,
}

/// What a feature is worth to the trees.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct FeatureGain {
    pub(crate) feature: String,
    pub(crate) share_of_gain: f64,
    pub(crate) gain_a_split: f64,
    pub(crate) splits: f64,
}

/// Games with one alpha on one board.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct SweptAlpha {
    pub(crate) mine_ratio: f64,
    pub(crate) alpha: f64,
    pub(crate) games: u32,
    pub(crate) wins: u32,
}

/// The best alpha of one board, and what the regression gives for it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct BestAlpha {
    pub(crate) alpha: f64,
    /// How many alphas share the most wins.
    pub(crate) sharing: u32,
    pub(crate) fitted: f64,
}

/// R^2 where the paper's sentence is read otherwise: the first of equal alphas, and with one height drawn for each longer
/// side and ratio (mean, low, high).
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct AlphaReadings {
    pub(crate) first_of_ties: Option<f64>,
    pub(crate) one_height: Option<[f64; 3]>,
}

/// The regression of equation 10.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct AlphaRecord {
    pub(crate) theta: [f64; 4],
    pub(crate) r_squared: Option<f64>,
    /// Missing in old records.
    pub(crate) other_readings: Option<AlphaReadings>,
    pub(crate) boards: u32,
    pub(crate) games: u64,
}

/// The training of a network in `folder`, `None` if it has no metrics.
pub(crate) fn network(folder: &Path) -> Result<Option<TrainingRun<NetworkRound>>, ReportError> {
    run(folder, |round: &NetworkRound| {
        [round.loss, round.validation_loss].iter().all(|loss| loss.is_finite())
            && round.win_ratio.is_none_or(|ratio| (0.0..=1.0).contains(&ratio))
    })
}

/// The training of trees in `folder`, `None` if it has no metrics.
pub(crate) fn trees(folder: &Path) -> Result<Option<TreesRun>, ReportError> {
    let run = run(folder, |round: &TreeRound| round.validation_log_loss.is_finite())?;
    let importance = csv_rows(&folder.join("importance.csv"), |row: &FeatureGain| {
        ratio("share_of_gain", row.share_of_gain)?;
        let rest = [row.gain_a_split, row.splits];
        if rest.iter().all(|value| value.is_finite()) { Ok(()) } else { Err("a number is not finite".to_owned()) }
    })?;
    Ok(run.map(|run| TreesRun { run, importance }))
}

/// The search for alpha in `folder`, `None` if a part of it is missing.
pub(crate) fn alpha(folder: &Path) -> Result<Option<AlphaRun>, ReportError> {
    let fit = json(&folder.join("alpha.json"))?;
    let sweep = csv_rows(&folder.join("sweep.csv"), |row: &SweptAlpha| {
        ratio("alpha", row.alpha)?;
        ratio("mine_ratio", row.mine_ratio)?;
        if row.wins <= row.games && row.games > 0 {
            Ok(())
        } else {
            Err(format!("{} wins in {} games", row.wins, row.games))
        }
    })?;
    let targets = csv_rows(&folder.join("targets.csv"), |row: &BestAlpha| {
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
