//! What `pipeline samegame eval` and `pipeline samegame tune` write, a stage of `pipelines/sp-mcts.toml` each.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer};

use super::csv_rows;
use crate::document::Estimate;
use crate::stage::report::error::ReportError;

/// A row of `eval.csv`: an algorithm with a budget on a set of boards.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct SamegameRow {
    #[serde(deserialize_with = "as_spelled_now")]
    pub(crate) algorithm: String,
    #[serde(deserialize_with = "as_spelled_now")]
    pub(crate) budget: String,
    pub(crate) boards: u32,
    mean: f64,
    /// The standard deviation between boards.
    pub(crate) deviation: f64,
    low: f64,
    high: f64,
    pub(crate) total: i64,
    pub(crate) cleared: u32,
    pub(crate) mean_play_outs: f64,
    pub(crate) mean_nodes: f64,
    pub(crate) mean_depth: Option<f64>,
    pub(crate) mean_deepest: Option<f64>,
    /// From `cost.csv`, where that is there.
    #[serde(skip)]
    pub(crate) cpu_seconds: Option<f64>,
    /// The score of every board in order, from `boards.csv`; empty where that isn't there.
    #[serde(skip)]
    pub(crate) scores: Vec<i32>,
}

#[derive(Deserialize)]
struct BoardRow {
    #[serde(deserialize_with = "as_spelled_now")]
    algorithm: String,
    #[serde(deserialize_with = "as_spelled_now")]
    budget: String,
    board: usize,
    score: i32,
}

#[derive(Deserialize)]
struct CostRow {
    #[serde(deserialize_with = "as_spelled_now")]
    algorithm: String,
    #[serde(deserialize_with = "as_spelled_now")]
    budget: String,
    cpu_seconds_a_board: f64,
}

/// A row of `distribution.csv`: a parameter after an iteration; iteration 0 is the distribution from the bounds.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct DistributionRow {
    pub(crate) iteration: u32,
    pub(crate) parameter: String,
    pub(crate) mean: f64,
    pub(crate) deviation: f64,
    pub(crate) mean_fitness: Option<f64>,
    pub(crate) best_fitness: Option<f64>,
}

/// A folder of such tables, `STAGE.csv` each, with `STAGE-cost.csv` and `STAGE-boards.csv` where they are kept.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SamegameTables {
    folder: PathBuf,
}

impl SamegameTables {
    pub(crate) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// The rows of a stage of `samegame eval`, `None` if its table isn't there.
    pub(crate) fn rows(&self, stage: &str) -> Result<Option<Vec<SamegameRow>>, ReportError> {
        let Some(mut rows) = csv_rows(&self.file(stage, ""), SamegameRow::check)? else {
            return Ok(None);
        };
        let costs = csv_rows(&self.file(stage, "-cost"), |row: &CostRow| {
            finite("cpu_seconds_a_board", row.cpu_seconds_a_board)
        })?;
        let costs: HashMap<_, _> =
            costs.into_iter().flatten().map(|row| ((row.algorithm, row.budget), row.cpu_seconds_a_board)).collect();
        let mut boards: HashMap<_, BTreeMap<usize, i32>> = HashMap::new();
        let path = self.file(stage, "-boards");
        for row in csv_rows(&path, |_: &BoardRow| Ok(()))?.into_iter().flatten() {
            boards.entry((row.algorithm, row.budget)).or_default().insert(row.board, row.score);
        }
        for row in &mut rows {
            let key = (row.algorithm.clone(), row.budget.clone());
            row.cpu_seconds = costs.get(&key).copied();
            row.scores = boards.remove(&key).unwrap_or_default().into_values().collect();
            let sum: i64 = row.scores.iter().map(|&score| i64::from(score)).sum();
            if !row.scores.is_empty() && (row.scores.len(), sum) != (row.boards as usize, row.total) {
                let (algorithm, there) = (&row.algorithm, row.scores.len());
                let why = format!(
                    "{algorithm} makes {sum} points on {there} boards, and {} on {} in {stage}.csv",
                    row.total, row.boards
                );
                return Err(ReportError::file(&path, why));
            }
        }
        Ok(Some(rows))
    }

    /// The rows of a stage of `samegame tune`, `None` if its table isn't there.
    pub(crate) fn distribution(&self, stage: &str) -> Result<Option<Vec<DistributionRow>>, ReportError> {
        csv_rows(&self.file(stage, ""), |row: &DistributionRow| {
            finite("mean", row.mean)?;
            finite("deviation", row.deviation)
        })
    }

    fn file(&self, stage: &str, part: &str) -> PathBuf {
        self.folder.join(format!("{stage}{part}.csv"))
    }
}

impl SamegameRow {
    /// The mean score with its interval, as the file has them.
    pub(crate) fn estimate(&self) -> Estimate {
        Estimate { value: self.mean, low: self.low, high: self.high }
    }

    /// The mean score with this row's less that with another's. On the same boards the differences of each count, which gives a
    /// shorter interval.
    pub(crate) fn minus(&self, other: &Self) -> Estimate {
        if self.scores.is_empty() || self.scores.len() != other.scores.len() {
            return self.estimate().minus(other.estimate());
        }
        let pairs = self.scores.iter().zip(&other.scores);
        Estimate::mean(pairs.map(|(a, b)| f64::from(a - b)))
    }

    /// The algorithm's name.
    pub(crate) fn name(&self) -> &str {
        self.algorithm.split(':').next().unwrap_or_default()
    }

    /// The value of an option, `usual` where the algorithm's text leaves it out.
    pub(crate) fn option<'a>(&'a self, key: &str, usual: &'a str) -> &'a str {
        let mut options = self.algorithm.split(':').skip(1).filter_map(|option| option.split_once('='));
        options.find(|(name, _)| *name == key).map_or(usual, |(_, value)| value)
    }

    /// The limit of the budget on `what`, `nodes` or `playouts`, if that is its only one.
    pub(crate) fn limit(&self, what: &str) -> Option<u64> {
        self.budget.strip_prefix(what)?.strip_prefix('=')?.parse().ok()
    }

    fn check(&self) -> Result<(), String> {
        if self.boards == 0 {
            return Err("boards is 0".to_owned());
        }
        if self.cleared > self.boards {
            return Err(format!("{} of {} boards are cleared", self.cleared, self.boards));
        }
        let (mean, of_total) = (self.mean, self.total as f64 / f64::from(self.boards));
        if (mean - of_total).abs() > 0.01 {
            return Err(format!("mean is {mean}, and {} points on {} boards are {of_total}", self.total, self.boards));
        }
        if !(self.low <= mean && mean <= self.high) {
            return Err(format!("mean is {mean}, not between low {} and high {}", self.low, self.high));
        }
        finite("deviation", self.deviation)?;
        finite("mean_play_outs", self.mean_play_outs)?;
        finite("mean_nodes", self.mean_nodes)
    }
}

/// An algorithm or a budget: older tables spell `playouts` in two words.
fn as_spelled_now<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    Ok(String::deserialize(deserializer)?.replace("play-out", "playout"))
}

/// Holds that a number is one, and not below 0.
fn finite(name: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(format!("{name} is {value}")) }
}
