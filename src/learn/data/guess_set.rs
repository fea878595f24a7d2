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

const SHARE: (f64, f64) = (0.0, 1.0);
const SIDE: (f64, f64) = (0.0, 65_534.0);
const LINES: (f64, f64) = (0.0, 4_294_967_295.0);

const fn block(name: &'static str) -> Column {
    let meaning = "`value` on this eighth of the layouts";
    Column::float(name, "probability", SHARE, meaning)
}

/// The columns, each with the field that holds its values.
const COLUMNS: [(Column, Field<GuessSetRow>); 29] = [
    (
        Column::whole(
            "guess",
            "",
            LINES,
            "number of the guess; its candidates are consecutive",
        ),
        Field::UInt32(|row| &mut row.guess),
    ),
    (
        Column::new("game", ColumnType::UInt64, "", "number of the game"),
        Field::UInt64(|row| &mut row.game),
    ),
    (
        Column::whole(
            "turn",
            "decisions",
            LINES,
            "number of the game's decisions before this one",
        ),
        Field::UInt32(|row| &mut row.turn),
    ),
    (
        Column::new("board", ColumnType::String, "", "WIDTHxHEIGHT/MINES"),
        Field::Text(|row| &mut row.board),
    ),
    (
        Column::new(
            "first_click",
            ColumnType::String,
            "",
            "first-click rule: safe, opening or any",
        ),
        Field::Text(|row| &mut row.first_click),
    ),
    (
        Column::new(
            "position",
            ColumnType::String,
            "",
            "rows of the board from the top, joined by /; # is a covered cell, 0 to 8 an open one",
        ),
        Field::Text(|row| &mut row.position),
    ),
    (
        Column::float(
            "unknown",
            "share of the board",
            SHARE,
            "fraction of cells that are neither open nor proved safe or mines",
        ),
        Field::Float32(|row| &mut row.unknown),
    ),
    (
        Column::float(
            "weight",
            "guesses a game",
            (0.0, 1.0e6),
            "number of guesses per game that this guess represents; the sum of weight times loss is the loss per game",
        ),
        Field::Float32(|row| &mut row.weight),
    ),
    (
        Column::new("seed", ColumnType::UInt64, "", "seed of the layouts"),
        Field::UInt64(|row| &mut row.seed),
    ),
    (
        Column::whole(
            "layouts",
            "layouts",
            LINES,
            "number of layouts behind `value`, common to all candidates of the guess; 0 if `value` is exact",
        ),
        Field::UInt32(|row| &mut row.layouts),
    ),
    (
        Column::whole("row", "", SIDE, "row of the candidate, counted from 0"),
        Field::UInt32(|row| &mut row.row),
    ),
    (
        Column::whole(
            "column",
            "",
            SIDE,
            "column of the candidate, counted from 0",
        ),
        Field::UInt32(|row| &mut row.column),
    ),
    (
        Column::new(
            "chosen",
            ColumnType::Boolean,
            "",
            "whether the player of the games opened the candidate",
        ),
        Field::Boolean(|row| &mut row.chosen),
    ),
    (
        Column::float(
            "mine",
            "probability",
            SHARE,
            "exact mine probability of the candidate",
        ),
        Field::Float32(|row| &mut row.mine),
    ),
    (
        Column::new(
            "exact",
            ColumnType::Boolean,
            "",
            "whether `value` is exact, under optimal play",
        ),
        Field::Boolean(|row| &mut row.exact),
    ),
    (
        Column::whole(
            "lines",
            "lines",
            LINES,
            "number of roll-outs: one on each layout in which the candidate is safe",
        ),
        Field::UInt32(|row| &mut row.lines),
    ),
    (
        Column::float(
            "value",
            "probability",
            SHARE,
            "win probability if the candidate is opened next; exact, or 1 - `mine` times the mean of roll-outs whose first two guesses look two steps ahead",
        ),
        Field::Float32(|row| &mut row.value),
    ),
    (
        Column::float("error", "probability", SHARE, "standard error of `value`"),
        Field::Float32(|row| &mut row.error),
    ),
    (block("block_1"), Field::Float32(|row| &mut row.blocks[0])),
    (block("block_2"), Field::Float32(|row| &mut row.blocks[1])),
    (block("block_3"), Field::Float32(|row| &mut row.blocks[2])),
    (block("block_4"), Field::Float32(|row| &mut row.blocks[3])),
    (block("block_5"), Field::Float32(|row| &mut row.blocks[4])),
    (block("block_6"), Field::Float32(|row| &mut row.blocks[5])),
    (block("block_7"), Field::Float32(|row| &mut row.blocks[6])),
    (block("block_8"), Field::Float32(|row| &mut row.blocks[7])),
    (
        Column::whole(
            "looking_lines",
            "lines",
            LINES,
            "number of roll-outs behind `looking_value`",
        ),
        Field::UInt32(|row| &mut row.looking_lines),
    ),
    (
        Column::float(
            "looking_value",
            "probability",
            SHARE,
            "win probability by roll-outs in which every guess looks two steps ahead",
        ),
        Field::Float32(|row| &mut row.looking_value),
    ),
    (
        Column::float(
            "looking_error",
            "probability",
            SHARE,
            "standard error of `looking_value`",
        ),
        Field::Float32(|row| &mut row.looking_error),
    ),
];

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
