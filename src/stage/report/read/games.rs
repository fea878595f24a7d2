//! What `pipeline eval` writes.

use std::path::Path;

use super::files::{csv_rows, ratio};
use super::played::{PlayedSettings, played};
use crate::document::{Estimate, WeightedGames};
use crate::stage::eval::EvalRow;
use crate::stage::report::error::ReportError;

/// A table of games.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct GameTable {
    pub(crate) rows: Vec<EvalRow>,
    /// With which settings, if a manifest lies beside the table.
    pub(crate) played: Option<PlayedSettings>,
}

impl EvalRow {
    /// The win ratio with its interval, as the file has them.
    pub(crate) fn estimate(&self) -> Estimate {
        Estimate { value: self.win_ratio, low: self.ci_low, high: self.ci_high }
    }

    /// Width, height and mines: `9x9/10`.
    pub(crate) fn board(&self) -> String {
        format!("{}x{}/{}", self.width, self.height, self.mines)
    }

    /// The games as a share of a mean.
    pub(crate) fn stratum(&self, weight: f64) -> WeightedGames {
        WeightedGames { wins: self.wins as f64, games: self.games as f64, weight }
    }
}

fn check(row: &EvalRow) -> Result<(), String> {
    let EvalRow { games, wins, timeouts, width, height, win_ratio, cpu_seconds, .. } = *row;
    if games == 0 {
        return Err("games is 0".to_owned());
    }
    if wins + timeouts > games {
        return Err(format!("{wins} wins and {timeouts} timeouts in {games} games"));
    }
    if width == 0 || height == 0 {
        return Err(format!("the board is {width}x{height}"));
    }
    if !(cpu_seconds.is_finite() && cpu_seconds >= 0.0) {
        return Err(format!("cpu_seconds is {cpu_seconds}"));
    }
    ratio("ci_low", row.ci_low)?;
    ratio("ci_high", row.ci_high)?;
    ratio("win_ratio", win_ratio)?;
    if (win_ratio - wins as f64 / games as f64).abs() > 1e-5 {
        return Err(format!("win_ratio is {win_ratio}, and {wins} of {games} games are won"));
    }
    Ok(())
}

/// A table of games, `None` if there is no such file.
pub(crate) fn games(path: &Path) -> Result<Option<GameTable>, ReportError> {
    let Some(rows) = csv_rows(path, check)? else {
        return Ok(None);
    };
    Ok(Some(GameTable { rows, played: played(path)? }))
}
