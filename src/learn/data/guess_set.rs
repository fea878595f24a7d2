//! Sets of guesses with the value of every candidate, for scoring players' choices.

use std::path::Path;

use super::{
    DataError, FileEntry, FileKind,
    fields::Field,
    parquet::{Unread, write},
};
use mineflow_model::{Column, ColumnType};

/// A candidate of a guess. The fields are the columns of [`FileKind::GuessSet`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GuessSetRow {
    pub guess: u32,
    pub game: u64,
    pub turn: u32,
    pub board: String,
    pub first_click: String,
    /// The rows of the position, joined by `/`.
    pub position: String,
    pub unknown: f32,
    pub weight: f32,
    pub seed: u64,
    pub layouts: u32,
    pub row: u32,
    pub column: u32,
    pub chosen: bool,
    pub mine: f32,
    pub exact: bool,
    pub lines: u32,
    pub value: f32,
    pub error: f32,
    pub blocks: [f32; 8],
    pub looking_lines: u32,
    pub looking_value: f32,
    pub looking_error: f32,
}

const SHARE: Option<(f64, f64)> = Some((0.0, 1.0));
const SIDE: Option<(f64, f64)> = Some((0.0, 65_534.0));
const LINES: Option<(f64, f64)> = Some((0.0, 4_294_967_295.0));

/// Lists the columns by name, type, field, unit, range and meaning. The type is both that of the
/// column and that of the field.
macro_rules! columns {
    ($($name:literal, $of:ident, $at:ident $([$block:literal])?, $unit:literal, $range:expr, $meaning:literal;)+) => {
        /// The columns, each with the field that holds its values.
        const COLUMNS: &[(Column, Field<GuessSetRow>)] = &[$((
            Column {
                name: $name,
                column_type: ColumnType::$of,
                unit: $unit,
                range: $range,
                meaning: $meaning,
            },
            Field::$of(|row| &mut row.$at $([$block])?),
        )),+];
    };
}

columns! {
    "guess", UInt32, guess, "", LINES, "number of the guess; its candidates are consecutive";
    "game", UInt64, game, "", None, "number of the game";
    "turn", UInt32, turn, "decisions", LINES, "number of the game's decisions before this one";
    "board", String, board, "", None, "WIDTHxHEIGHT/MINES";
    "first_click", String, first_click, "", None, "first-click rule: safe, opening or any";
    "position", String, position, "", None, "rows of the board from the top, joined by /; # is a covered cell, 0 to 8 an open one";
    "unknown", Float32, unknown, "share of the board", SHARE, "fraction of cells that are neither open nor proved safe or mines";
    "weight", Float32, weight, "guesses a game", Some((0.0, 1.0e6)), "number of guesses per game that this guess represents; the sum of weight times loss is the loss per game";
    "seed", UInt64, seed, "", None, "seed of the layouts";
    "layouts", UInt32, layouts, "layouts", LINES, "number of layouts behind `value`, common to all candidates of the guess; 0 if `value` is exact";
    "row", UInt32, row, "", SIDE, "row of the candidate, counted from 0";
    "column", UInt32, column, "", SIDE, "column of the candidate, counted from 0";
    "chosen", Boolean, chosen, "", None, "whether the player of the games opened the candidate";
    "mine", Float32, mine, "probability", SHARE, "exact mine probability of the candidate";
    "exact", Boolean, exact, "", None, "whether `value` is exact, under optimal play";
    "lines", UInt32, lines, "lines", LINES, "number of roll-outs: one on each layout in which the candidate is safe";
    "value", Float32, value, "probability", SHARE, "win probability if the candidate is opened next; exact, or 1 - `mine` times the mean of roll-outs whose first two guesses look two steps ahead";
    "error", Float32, error, "probability", SHARE, "standard error of `value`";
    "block_1", Float32, blocks [0], "probability", SHARE, "`value` on this eighth of the layouts";
    "block_2", Float32, blocks [1], "probability", SHARE, "`value` on this eighth of the layouts";
    "block_3", Float32, blocks [2], "probability", SHARE, "`value` on this eighth of the layouts";
    "block_4", Float32, blocks [3], "probability", SHARE, "`value` on this eighth of the layouts";
    "block_5", Float32, blocks [4], "probability", SHARE, "`value` on this eighth of the layouts";
    "block_6", Float32, blocks [5], "probability", SHARE, "`value` on this eighth of the layouts";
    "block_7", Float32, blocks [6], "probability", SHARE, "`value` on this eighth of the layouts";
    "block_8", Float32, blocks [7], "probability", SHARE, "`value` on this eighth of the layouts";
    "looking_lines", UInt32, looking_lines, "lines", LINES, "number of roll-outs behind `looking_value`";
    "looking_value", Float32, looking_value, "probability", SHARE, "win probability by roll-outs in which every guess looks two steps ahead";
    "looking_error", Float32, looking_error, "probability", SHARE, "standard error of `looking_value`";
}

/// Returns the columns of a guess set.
pub(super) fn columns() -> Vec<Column> {
    COLUMNS.iter().map(|(column, _)| *column).collect()
}

/// Writes a guess set and returns its file entry. On an error no file is left.
///
/// # Errors
/// Returns an error if the file can't be written.
pub fn write_guess_set(
    folder: &Path,
    file: &str,
    mut rows: Vec<GuessSetRow>,
) -> Result<FileEntry, DataError> {
    let all: Vec<usize> = (0..rows.len()).collect();
    let fields = COLUMNS.iter();
    let values = fields
        .map(|(_, field)| field.values(&mut rows, &all))
        .collect();
    write(
        folder,
        file.to_owned(),
        FileKind::GuessSet,
        all.len(),
        values,
    )
}

/// Reads a guess set.
///
/// # Errors
/// Returns an error if the file is missing or damaged, or lacks a column of the set.
pub fn read_guess_set(path: &Path) -> Result<Vec<GuessSetRow>, DataError> {
    let unread = Unread::open(path, None)?;
    let mut rows = vec![GuessSetRow::default(); unread.rows];
    let file = unread.read(None, rows.len())?;
    for (column, field) in COLUMNS {
        field.read(column.name, &file, &mut rows)?;
    }
    Ok(rows)
}
