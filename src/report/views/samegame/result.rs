//! What `pipeline samegame eval` writes, a stage of `pipelines/sp-mcts.toml` each.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use super::super::Request;
use super::published::{parameters, settings, times};
use crate::error::ReportError;
use crate::files::csv_rows;
use crate::row::Row;
use mineflow_arena::numbers::grouped;
use mineflow_arena::{Estimate, Z_95};
use mineflow_tasks::samegame::eval::{BoardRow, CostRow, EvalRow};

/// Boards of the paper's tables 1 to 6.
const PAPER_BOARDS: f64 = 250.0;

/// An algorithm with a budget on a set of boards.
#[derive(Clone, PartialEq)]
pub(super) struct SamegameResult {
    /// The row of `STAGE.csv`.
    pub(super) row: EvalRow,
    /// From `STAGE-cost.csv`, where that is there.
    pub(super) cpu_seconds: Option<f64>,
    /// The score of every board in order, from `STAGE-boards.csv`; empty where that isn't there.
    pub(super) scores: Vec<i32>,
}

/// Where the settings of a row come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    Manual,
    /// Tuned by the paper, per game or per move.
    Paper,
    /// Tuned here.
    Here,
}

/// The results of all stages that are asked for.
pub(super) fn read(request: &Request<'_>) -> Result<Vec<SamegameResult>, ReportError> {
    request.rows(stage)
}

fn stage(path: &Path) -> Result<Option<Vec<SamegameResult>>, ReportError> {
    let stage = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let beside = |part: &str| -> PathBuf { path.with_file_name(format!("{stage}-{part}.csv")) };
    let Some(rows) = csv_rows(path, check)? else {
        return Ok(None);
    };
    let check_cost = |row: &CostRow| finite("cpu_seconds_per_board", row.cpu_seconds_per_board);
    let costs = csv_rows(&beside("cost"), check_cost)?.into_iter().flatten();
    let costs: HashMap<_, _> = costs
        .map(|row| ((row.algorithm, row.budget), row.cpu_seconds_per_board))
        .collect();
    let mut boards: HashMap<_, BTreeMap<usize, i32>> = HashMap::new();
    for row in csv_rows(&beside("boards"), |_: &BoardRow| Ok(()))?
        .into_iter()
        .flatten()
    {
        boards
            .entry((row.algorithm, row.budget))
            .or_default()
            .insert(row.board, row.score);
    }
    let result = |row: EvalRow| {
        let key = (row.algorithm.clone(), row.budget.clone());
        let scores: Vec<_> = boards
            .remove(&key)
            .unwrap_or_default()
            .into_values()
            .collect();
        let sum: i64 = scores.iter().map(|&score| i64::from(score)).sum();
        if !scores.is_empty() && (scores.len(), sum) != (row.boards, row.total) {
            let (algorithm, there) = (&row.algorithm, scores.len());
            let (total, on) = (row.total, row.boards);
            let why = format!(
                "{algorithm} makes {sum} points on {there} boards, and {total} on {on} in {stage}.csv"
            );
            return Err(ReportError::file(&beside("boards"), why));
        }
        Ok(SamegameResult {
            cpu_seconds: costs.get(&key).copied(),
            scores,
            row,
        })
    };
    rows.into_iter()
        .map(result)
        .collect::<Result<_, _>>()
        .map(Some)
}

fn check(row: &EvalRow) -> Result<(), String> {
    let EvalRow {
        boards,
        cleared,
        mean,
        low,
        high,
        total,
        ..
    } = *row;
    if boards == 0 {
        return Err("boards is 0".to_owned());
    }
    if cleared > boards {
        return Err(format!("{cleared} of {boards} boards are cleared"));
    }
    let of_total = total as f64 / boards as f64;
    if (mean - of_total).abs() > 0.01 {
        return Err(format!(
            "mean is {mean}, and {total} points on {boards} boards are {of_total}"
        ));
    }
    if !(low <= mean && mean <= high) {
        return Err(format!(
            "mean is {mean}, not between low {low} and high {high}"
        ));
    }
    finite("deviation", row.deviation)?;
    finite("mean_playouts", row.mean_playouts)?;
    finite("mean_nodes", row.mean_nodes)
}

/// Checks that a number is one, and not below 0.
pub(super) fn finite(name: &str, value: f64) -> Result<(), String> {
    if value.is_finite() && value >= 0.0 {
        Ok(())
    } else {
        Err(format!("{name} is {value}"))
    }
}

impl SamegameResult {
    /// The mean score with its interval, as the file has them.
    pub(super) fn mean(&self) -> Estimate {
        Estimate {
            value: self.row.mean,
            low: self.row.low,
            high: self.row.high,
        }
    }

    /// The mean score less that of another result. On the same boards the differences of each count, which gives a shorter interval.
    pub(super) fn minus(&self, other: &Self) -> Estimate {
        if self.scores.len() < 2 || self.scores.len() != other.scores.len() {
            return self.mean().minus(other.mean());
        }
        let pairs = self.scores.iter().zip(&other.scores);
        Estimate::mean(pairs.map(|(a, b)| f64::from(a - b)))
    }

    /// What the mean is more than one of the paper, as a share of that. Where the paper prints the deviation of its 250 boards, its mean has an
    /// interval too.
    pub(super) fn relative(&self, mean: f64, deviation: Option<f64>) -> Estimate {
        let half = deviation.map_or(0.0, |deviation| Z_95 * deviation / PAPER_BOARDS.sqrt());
        self.mean()
            .minus(Estimate {
                value: mean,
                low: mean - half,
                high: mean + half,
            })
            .times(1.0 / mean)
    }

    pub(super) fn is_sp_mcts(&self) -> bool {
        self.name() == "sp-mcts"
    }

    /// The algorithm's name.
    pub(super) fn name(&self) -> &str {
        self.row.algorithm.split(':').next().unwrap_or_default()
    }

    /// The value of an option, `usual` where the algorithm's text leaves it out.
    pub(super) fn option<'a>(&'a self, key: &str, usual: &'a str) -> &'a str {
        let mut options = self
            .row
            .algorithm
            .split(':')
            .skip(1)
            .filter_map(|option| option.split_once('='));
        options
            .find(|(name, _)| *name == key)
            .map_or(usual, |(_, value)| value)
    }

    /// The limit of the budget on `what`, `nodes` or `playouts`, if that is its only one.
    pub(super) fn limit(&self, what: &str) -> Option<u64> {
        self.row
            .budget
            .strip_prefix(what)?
            .strip_prefix('=')?
            .parse()
            .ok()
    }

    /// Whether SP-MCTS is run for every move.
    pub(super) fn is_per_move(&self) -> bool {
        self.option("per", "game") == "move"
    }

    /// Whether rewards are in hundreds of points.
    pub(super) fn has_usual_unit(&self) -> bool {
        self.option("unit", "100") == "100"
    }

    /// Whether a parameter has this value, as it has if that is the usual one and left out.
    fn has(&self, key: &str, value: Option<f64>, usual: Option<f64>) -> bool {
        let has = self.option(key, "").parse().ok().or(usual);
        has.zip(value)
            .is_some_and(|(has, value)| (has - value).abs() < 1e-9)
    }

    /// Whose settings SP-MCTS has.
    pub(super) fn origin(&self) -> Origin {
        let all = parameters();
        let has = |whose: &str| {
            let has =
                |of: &Row| self.has(of.text("parameter"), of.number(whose), of.number("manual"));
            self.has_usual_unit() && all.iter().all(has)
        };
        match () {
            () if has("manual") => Origin::Manual,
            () if has("game") || has("move") => Origin::Paper,
            () => Origin::Here,
        }
    }

    /// Which setting of table 2 it has, if it has one: the paper's figures at every number of nodes.
    fn settings(&self) -> impl Iterator<Item = Row> {
        let usual = |key| {
            parameters()
                .iter()
                .find(|of| of.text("parameter") == key)
                .and_then(|of| of.number("manual"))
        };
        let has = move |of: &Row, key| self.has(key, of.number(key), usual(key));
        settings()
            .into_iter()
            .filter(move |of| has(of, "c") && has(of, "d"))
    }

    /// The name of that setting.
    pub(super) fn setting(&self) -> Option<String> {
        self.settings()
            .next()
            .map(|of| of.text("setting").to_owned())
    }

    /// What table 2 has of its setting at its number of nodes.
    pub(super) fn in_table_2(&self) -> Option<Row> {
        self.settings()
            .find(|of| of.number("nodes") == self.nodes())
    }

    /// The seconds and points of tables 3 and 6 of the paper at about this number of nodes.
    pub(super) fn in_time(&self) -> Row {
        times()
            .into_iter()
            .find(|time| time.number("nodes") == self.nodes())
            .unwrap_or_default()
    }

    /// The nodes of its budget, if that limits nothing else.
    pub(super) fn nodes(&self) -> Option<f64> {
        self.limit("nodes").map(|nodes| nodes as f64)
    }

    /// A budget and its boards in words.
    pub(super) fn place(&self) -> String {
        format!("{}, {} boards", self.budget(), self.row.boards)
    }

    /// The budget in words.
    pub(super) fn budget(&self) -> String {
        let limit = |limit: &str| match limit
            .split_once('=')
            .map(|(what, amount)| (what, amount.parse::<u64>()))
        {
            Some((what, Ok(amount))) => format!("{} {}", grouped(amount), what),
            _ => limit.to_owned(),
        };
        self.row
            .budget
            .split('+')
            .map(limit)
            .collect::<Vec<_>>()
            .join(", ")
    }

    /// SP-MCTS in words without budget and settings.
    pub(super) fn form(&self) -> String {
        let scope = if self.is_per_move() {
            "per move"
        } else {
            "per game"
        };
        match self.option("searches", "1") {
            "1" => format!("SP-MCTS {scope}"),
            several => format!("SP-MCTS {scope}, {several} searches"),
        }
    }

    /// Its values: those of the table, `mean` with its interval, `seconds` of processor time a board, `place`, and `budget` in words.
    pub(super) fn values(&self) -> Row {
        let row = Row::of(&self.row)
            .with("mean", self.mean())
            .with("seconds", self.cpu_seconds);
        let row = row
            .with("place", self.place())
            .with("budget", self.budget());
        row.with("form", self.form())
            .with("setting", self.setting())
    }
}
