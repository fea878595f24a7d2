//! Tables of games, which `pipeline eval` writes.

use std::collections::HashMap;
use std::path::Path;

use mineflow_tasks::eval::{CostRow, EvalRow};

use super::error::ReportError;
use super::files::{beside, csv_rows, ratio};
use super::played::{PlayedSettings, played};

/// A table of games.
pub(super) struct GameTable {
    pub(super) rows: Vec<EvalRow>,
    /// With which settings, if a manifest lies beside the table.
    pub(super) played: Option<PlayedSettings>,
}

/// A table with what its games took, if a table of costs lies beside it; `None` if there is no such file.
pub(super) fn read(path: &Path) -> Result<Option<GameTable>, ReportError> {
    let Some(mut rows) = csv_rows(path, check)? else {
        return Ok(None);
    };
    let costs = csv_rows(&beside(path, "cost"), |row: &CostRow| {
        match row.cpu_seconds {
            seconds if seconds.is_finite() && seconds >= 0.0 => Ok(()),
            seconds => Err(format!("cpu_seconds is {seconds}")),
        }
    })?;
    let key = |row: &CostRow| {
        (
            row.player.clone(),
            [row.width, row.height, row.mines],
            row.first_click.clone(),
        )
    };
    let costs: HashMap<_, _> = costs
        .into_iter()
        .flatten()
        .map(|row| (key(&row), (row.cpu_seconds, row.nodes_per_game)))
        .collect();
    for row in &mut rows {
        let key = (
            row.player.clone(),
            [row.width, row.height, row.mines],
            row.first_click.clone(),
        );
        if let Some(&(seconds, nodes)) = costs.get(&key) {
            (row.cpu_seconds, row.nodes_per_game) = (Some(seconds), nodes);
        }
    }
    Ok(Some(GameTable {
        rows,
        played: played(path)?,
    }))
}

fn check(row: &EvalRow) -> Result<(), String> {
    let EvalRow {
        games,
        wins,
        timeouts,
        width,
        height,
        win_ratio,
        ..
    } = *row;
    if games == 0 {
        return Err("games is 0".to_owned());
    }
    if wins + timeouts > games {
        return Err(format!(
            "{wins} wins and {timeouts} timeouts in {games} games"
        ));
    }
    if width == 0 || height == 0 {
        return Err(format!("the board is {width}x{height}"));
    }
    ratio("ci_low", row.ci_low)?;
    ratio("ci_high", row.ci_high)?;
    ratio("win_ratio", win_ratio)?;
    if (win_ratio - wins as f64 / games as f64).abs() > 1e-5 {
        return Err(format!(
            "win_ratio is {win_ratio}, and {wins} of {games} games are won"
        ));
    }
    Ok(())
}
