//! What `pipeline samegame eval` and `pipeline samegame tune` write, a stage of `pipelines/sp-mcts.toml` each.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::files::csv_rows;
use crate::error::ReportError;
use mineflow_document::Estimate;
use mineflow_stage_games::samegame::eval::{BoardRow, CostRow, EvalRow};
use mineflow_stage_games::samegame::tune::DistributionRow;

/// An algorithm with a budget on a set of boards.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct SamegameResult {
    /// The row of `eval.csv`.
    pub(crate) row: EvalRow,
    /// From `cost.csv`, where that is there.
    pub(crate) cpu_seconds: Option<f64>,
    /// The score of every board in order, from `boards.csv`; empty where that isn't there.
    pub(crate) scores: Vec<i32>,
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

    /// The results of a stage of `samegame eval`, `None` if its table isn't there.
    pub(crate) fn results(&self, stage: &str) -> Result<Option<Vec<SamegameResult>>, ReportError> {
        let Some(rows) = csv_rows(&self.file(stage, ""), check)? else {
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
        let result = |row: EvalRow| {
            let key = (row.algorithm.clone(), row.budget.clone());
            let scores: Vec<_> = boards.remove(&key).unwrap_or_default().into_values().collect();
            let sum: i64 = scores.iter().map(|&score| i64::from(score)).sum();
            if !scores.is_empty() && (scores.len(), sum) != (row.boards, row.total) {
                let (algorithm, there) = (&row.algorithm, scores.len());
                let why = format!(
                    "{algorithm} makes {sum} points on {there} boards, and {} on {} in {stage}.csv",
                    row.total, row.boards
                );
                return Err(ReportError::file(&path, why));
            }
            Ok(SamegameResult { cpu_seconds: costs.get(&key).copied(), scores, row })
        };
        rows.into_iter().map(result).collect::<Result<_, _>>().map(Some)
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

impl SamegameResult {
    /// The mean score with its interval, as the file has them.
    pub(crate) fn estimate(&self) -> Estimate {
        Estimate { value: self.row.mean, low: self.row.low, high: self.row.high }
    }

    /// The mean score less that of another result. On the same boards the differences of each count, which gives a shorter interval.
    pub(crate) fn minus(&self, other: &Self) -> Estimate {
        if self.scores.is_empty() || self.scores.len() != other.scores.len() {
            return self.estimate().minus(other.estimate());
        }
        let pairs = self.scores.iter().zip(&other.scores);
        Estimate::mean(pairs.map(|(a, b)| f64::from(a - b)))
    }

    /// The algorithm's name.
    pub(crate) fn name(&self) -> &str {
        self.row.algorithm.split(':').next().unwrap_or_default()
    }

    /// The value of an option, `usual` where the algorithm's text leaves it out.
    pub(crate) fn option<'a>(&'a self, key: &str, usual: &'a str) -> &'a str {
        let mut options = self.row.algorithm.split(':').skip(1).filter_map(|option| option.split_once('='));
        options.find(|(name, _)| *name == key).map_or(usual, |(_, value)| value)
    }

    /// The limit of the budget on `what`, `nodes` or `playouts`, if that is its only one.
    pub(crate) fn limit(&self, what: &str) -> Option<u64> {
        self.row.budget.strip_prefix(what)?.strip_prefix('=')?.parse().ok()
    }
}

fn check(row: &EvalRow) -> Result<(), String> {
    let EvalRow { boards, cleared, mean, low, high, total, .. } = *row;
    if boards == 0 {
        return Err("boards is 0".to_owned());
    }
    if cleared > boards {
        return Err(format!("{cleared} of {boards} boards are cleared"));
    }
    let of_total = total as f64 / boards as f64;
    if (mean - of_total).abs() > 0.01 {
        return Err(format!("mean is {mean}, and {total} points on {boards} boards are {of_total}"));
    }
    if !(low <= mean && mean <= high) {
        return Err(format!("mean is {mean}, not between low {low} and high {high}"));
    }
    finite("deviation", row.deviation)?;
    finite("mean_playouts", row.mean_playouts)?;
    finite("mean_nodes", row.mean_nodes)
}

/// Holds that a number is one, and not below 0.
fn finite(name: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && value >= 0.0 { Ok(()) } else { Err(format!("{name} is {value}")) }
}
