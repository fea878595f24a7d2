//! What `pipeline guesses` writes.

use std::path::Path;

use super::files::{csv_rows, ratio};
use crate::error::ReportError;
use mineflow_stage_measure::guesses::GuessRow;

/// The guesses of players in a few positions; `None` if there is no such file.
pub(crate) fn guesses(path: &Path) -> Result<Option<Vec<GuessRow>>, ReportError> {
    csv_rows(path, |row: &GuessRow| {
        ratio("mine", row.mine)?;
        ratio("win", row.win)?;
        let cell = row.view.split('/').nth(row.row).and_then(|line| line.chars().nth(row.column));
        match cell {
            Some(cell) if !cell.is_ascii_digit() => Ok(()),
            Some(_) => Err(format!("the cell ({}, {}) is open", row.row, row.column)),
            None => Err(format!("the cell ({}, {}) is off the board", row.row, row.column)),
        }
    })
}
