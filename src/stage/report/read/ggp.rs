//! What `pipeline ggp table` writes, and tables of `pipeline ggp check`.

use std::path::Path;

use serde::Deserialize;

use super::files::csv_rows;
use crate::error::ReportError;
use mineflow_stage_games::ggp_ladder::LadderRow;
use mineflow_stage_games::ggp_table::{LearningRow, TableRow};

fn check_part(row: &LearningRow) -> Result<(), String> {
    if row.from == 0 || row.to < row.from {
        return Err(format!("matches {} to {}", row.from, row.to));
    }
    check_score(row.matches, [row.wins, row.draws, row.losses], [row.score, row.low, row.high])
}

fn check_rung(row: &LadderRow) -> Result<(), String> {
    let LadderRow { playouts, opponent_playouts, .. } = *row;
    if playouts == 0 || opponent_playouts == 0 {
        return Err(format!("{playouts} playouts a move against {opponent_playouts}"));
    }
    check_score(row.matches, [row.wins, row.draws, row.losses], [row.score, row.low, row.high])
}

fn check(row: &TableRow) -> Result<(), String> {
    check_score(row.matches, [row.wins, row.draws, row.losses], [row.score, row.low, row.high])?;
    if !(0.0..=1.0).contains(&row.solving_share) {
        return Err(format!("solving_share is {}, not between 0 and 1", row.solving_share));
    }
    if mineflow_stage_games::ggp_table::amount(&row.budget).is_none_or(|amount| amount <= 0.0) {
        return Err(format!("budget is {}", row.budget));
    }
    Ok(())
}

fn check_score(matches: u32, [wins, draws, losses]: [u32; 3], [score, low, high]: [f64; 3]) -> Result<(), String> {
    if matches == 0 || wins + draws + losses != matches {
        return Err(format!("{wins} wins, {draws} draws and {losses} losses in {matches} matches"));
    }
    let counted = 100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / f64::from(matches);
    if (counted - score).abs() > 0.01 {
        return Err(format!("score is {score}, and wins and half of the draws are {counted:.2} %"));
    }
    for (name, value) in [("low", low), ("high", high)] {
        if !(0.0..=100.0).contains(&value) {
            return Err(format!("{name} is {value}, not between 0 and 100"));
        }
    }
    Ok(())
}

/// A constraint network of a game's stage.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct NetworkRow {
    pub(crate) game: String,
    /// `stage` or `last stage`.
    pub(crate) network: String,
    pub(crate) preprocessed: bool,
    pub(crate) variables: u64,
    pub(crate) largest_domain: u64,
    pub(crate) constraints: u64,
    pub(crate) tuples: u64,
    pub(crate) cpu_seconds: f64,
}

/// Random playouts by several engines.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct EqualityRow {
    pub(crate) game: String,
    pub(crate) engines: String,
    pub(crate) playouts: u64,
    pub(crate) states: u64,
    pub(crate) cpu_seconds: f64,
    /// What they say differently, if they do.
    pub(crate) difference: Option<String>,
}

/// The rows of a table of series of matches, `None` if there is no such file.
pub(crate) fn series(path: &Path) -> Result<Option<Vec<TableRow>>, ReportError> {
    csv_rows(path, check)
}

/// The rungs of a ladder, `None` if there is no such file.
pub(crate) fn ladder(path: &Path) -> Result<Option<Vec<LadderRow>>, ReportError> {
    csv_rows(path, check_rung)
}

/// Parts of matches in a row, `None` if there is no such file.
pub(crate) fn learning(path: &Path) -> Result<Option<Vec<LearningRow>>, ReportError> {
    csv_rows(path, check_part)
}

/// The constraint networks of games, `None` if there is no such file.
pub(crate) fn networks(path: &Path) -> Result<Option<Vec<NetworkRow>>, ReportError> {
    csv_rows(path, |_| Ok(()))
}

/// Playouts by several engines, `None` if there is no such file.
pub(crate) fn equality(path: &Path) -> Result<Option<Vec<EqualityRow>>, ReportError> {
    csv_rows(path, |_| Ok(()))
}
