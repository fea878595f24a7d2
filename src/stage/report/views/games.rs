//! Tables of games, which `pipeline eval` writes.

use std::collections::HashMap;
use std::path::Path;

use super::Request;
use crate::data::Data;
use crate::error::ReportError;
use crate::files::{beside, csv_rows, ratio};
use crate::played::{PlayedSettings, played};
use crate::row::Row;
use crate::sources::short;
use mineflow_document::numbers::{counted, list};
use mineflow_stage_measure::eval::{CostRow, EvalRow};

/// A table of games.
pub(crate) struct GameTable {
    pub(crate) rows: Vec<EvalRow>,
    /// With which settings, if a manifest lies beside the table.
    pub(crate) played: Option<PlayedSettings>,
}

/// A table with what its games took, if a table of costs lies beside it; `None` if there is no such file.
pub(crate) fn read(path: &Path) -> Result<Option<GameTable>, ReportError> {
    let Some(mut rows) = csv_rows(path, check)? else {
        return Ok(None);
    };
    let costs = csv_rows(&beside(path, "cost"), |row: &CostRow| match row.cpu_seconds {
        seconds if seconds.is_finite() && seconds >= 0.0 => Ok(()),
        seconds => Err(format!("cpu_seconds is {seconds}")),
    })?;
    let key = |row: &CostRow| (row.player.clone(), [row.width, row.height, row.mines], row.first_click.clone());
    let costs: HashMap<_, _> = costs.into_iter().flatten().map(|row| (key(&row), row.cpu_seconds)).collect();
    for row in &mut rows {
        let key = (row.player.clone(), [row.width, row.height, row.mines], row.first_click.clone());
        row.cpu_seconds = costs.get(&key).copied();
    }
    Ok(Some(GameTable { rows, played: played(path)? }))
}

fn check(row: &EvalRow) -> Result<(), String> {
    let EvalRow { games, wins, timeouts, width, height, win_ratio, .. } = *row;
    if games == 0 {
        return Err("games is 0".to_owned());
    }
    if wins + timeouts > games {
        return Err(format!("{wins} wins and {timeouts} timeouts in {games} games"));
    }
    if width == 0 || height == 0 {
        return Err(format!("the board is {width}x{height}"));
    }
    ratio("ci_low", row.ci_low)?;
    ratio("ci_high", row.ci_high)?;
    ratio("win_ratio", win_ratio)?;
    if (win_ratio - wins as f64 / games as f64).abs() > 1e-5 {
        return Err(format!("win_ratio is {win_ratio}, and {wins} of {games} games are won"));
    }
    Ok(())
}

/// Rows as they are, with `board`, `won` and `speed` (games a CPU second); the fact `tables` lists the files.
pub(super) fn games(request: &Request<'_>) -> Result<Data, ReportError> {
    let (mut rows, mut tables) = (Vec::new(), Vec::new());
    for file in request.files {
        let table = read(file.path())?.map_or_else(Vec::new, |table| table.rows);
        tables.push(format!("`{}` ({})", short(file.path()), counted(table.len() as u64, "row")));
        rows.extend(table.iter().map(|row| {
            let speed = row.cpu_seconds.map(|seconds| row.games as f64 / seconds.max(1e-9));
            Row::of(row).with("board", row.board()).with("won", row.estimate()).with("speed", speed)
        }));
    }
    Ok(Data::of(rows).facts(Row::default().with("tables", list(&tables))))
}
