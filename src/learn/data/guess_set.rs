//! Sets of guesses with the value of every candidate, for scoring players' choices.

use std::path::Path;

use super::parquet::{Reading, Unread, Values, write};
use super::{DataError, FileEntry, FileKind};
use mineflow_model::{Column, ColumnType};

/// A candidate of a guess. The fields are the columns of [`FileKind::GuessSet`].
#[derive(Clone, PartialEq, Debug)]
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
    pub blocks: [f32; BLOCKS.len()],
    pub looking_lines: u32,
    pub looking_value: f32,
    pub looking_error: f32,
}

const SHARE: (f64, f64) = (0.0, 1.0);
const SIDE: (f64, f64) = (0.0, 65_534.0);
const LINES: (f64, f64) = (0.0, 4_294_967_295.0);

/// The names of the columns with the block means.
const BLOCKS: [&str; 8] = [
    "block_1", "block_2", "block_3", "block_4", "block_5", "block_6", "block_7", "block_8",
];

const fn block(name: &'static str) -> Column {
    Column::float(
        name,
        "probability",
        SHARE,
        "`value` on this eighth of the layouts",
    )
}

pub(super) const COLUMNS: [Column; 21 + BLOCKS.len()] = [
    Column::whole(
        "guess",
        "",
        LINES,
        "number of the guess; its candidates are consecutive",
    ),
    Column::new("game", ColumnType::UInt64, "", "number of the game"),
    Column::whole(
        "turn",
        "decisions",
        LINES,
        "number of the game's decisions before this one",
    ),
    Column::new("board", ColumnType::String, "", "WIDTHxHEIGHT/MINES"),
    Column::new(
        "first_click",
        ColumnType::String,
        "",
        "first-click rule: safe, opening or any",
    ),
    Column::new(
        "position",
        ColumnType::String,
        "",
        "rows of the board from the top, joined by /; # is a covered cell, 0 to 8 an open one",
    ),
    Column::float(
        "unknown",
        "share of the board",
        SHARE,
        "fraction of cells that are neither open nor proved safe or mines",
    ),
    Column::float(
        "weight",
        "guesses a game",
        (0.0, 1.0e6),
        "number of guesses per game that this guess represents; the sum of weight times loss is the loss per game",
    ),
    Column::new("seed", ColumnType::UInt64, "", "seed of the layouts"),
    Column::whole(
        "layouts",
        "layouts",
        LINES,
        "number of layouts behind `value`, common to all candidates of the guess; 0 if `value` is exact",
    ),
    Column::whole("row", "", SIDE, "row of the candidate, counted from 0"),
    Column::whole(
        "column",
        "",
        SIDE,
        "column of the candidate, counted from 0",
    ),
    Column::new(
        "chosen",
        ColumnType::Boolean,
        "",
        "whether the player of the games opened the candidate",
    ),
    Column::float(
        "mine",
        "probability",
        SHARE,
        "exact mine probability of the candidate",
    ),
    Column::new(
        "exact",
        ColumnType::Boolean,
        "",
        "whether `value` is exact, under optimal play",
    ),
    Column::whole(
        "lines",
        "lines",
        LINES,
        "number of roll-outs: one on each layout in which the candidate is safe",
    ),
    Column::float(
        "value",
        "probability",
        SHARE,
        "win probability if the candidate is opened next; exact, or 1 - `mine` times the mean of roll-outs whose first two guesses look two steps ahead",
    ),
    Column::float("error", "probability", SHARE, "standard error of `value`"),
    block(BLOCKS[0]),
    block(BLOCKS[1]),
    block(BLOCKS[2]),
    block(BLOCKS[3]),
    block(BLOCKS[4]),
    block(BLOCKS[5]),
    block(BLOCKS[6]),
    block(BLOCKS[7]),
    Column::whole(
        "looking_lines",
        "lines",
        LINES,
        "number of roll-outs behind `looking_value`",
    ),
    Column::float(
        "looking_value",
        "probability",
        SHARE,
        "win probability by roll-outs in which every guess looks two steps ahead",
    ),
    Column::float(
        "looking_error",
        "probability",
        SHARE,
        "standard error of `looking_value`",
    ),
];

/// Writes a guess set and returns its file entry. On an error no file is left.
///
/// # Errors
/// Returns an error if the file can't be written.
pub fn write_guess_set(
    folder: &Path,
    file: &str,
    rows: &[GuessSetRow],
) -> Result<FileEntry, DataError> {
    fn of<T>(rows: &[GuessSetRow], value: impl Fn(&GuessSetRow) -> T) -> Vec<T> {
        rows.iter().map(value).collect()
    }
    let mut values = vec![
        Values::UInt32(of(rows, |row| row.guess)),
        Values::UInt64(of(rows, |row| row.game)),
        Values::UInt32(of(rows, |row| row.turn)),
        Values::Texts(of(rows, |row| row.board.clone())),
        Values::Texts(of(rows, |row| row.first_click.clone())),
        Values::Texts(of(rows, |row| row.position.clone())),
        Values::Float32(of(rows, |row| row.unknown)),
        Values::Float32(of(rows, |row| row.weight)),
        Values::UInt64(of(rows, |row| row.seed)),
        Values::UInt32(of(rows, |row| row.layouts)),
        Values::UInt32(of(rows, |row| row.row)),
        Values::UInt32(of(rows, |row| row.column)),
        Values::Boolean(of(rows, |row| row.chosen)),
        Values::Float32(of(rows, |row| row.mine)),
        Values::Boolean(of(rows, |row| row.exact)),
        Values::UInt32(of(rows, |row| row.lines)),
        Values::Float32(of(rows, |row| row.value)),
        Values::Float32(of(rows, |row| row.error)),
    ];
    values
        .extend((0..BLOCKS.len()).map(|block| Values::Float32(of(rows, |row| row.blocks[block]))));
    values.extend([
        Values::UInt32(of(rows, |row| row.looking_lines)),
        Values::Float32(of(rows, |row| row.looking_value)),
        Values::Float32(of(rows, |row| row.looking_error)),
    ]);
    write(
        folder,
        file.to_owned(),
        FileKind::GuessSet,
        rows.len(),
        values,
    )
}

/// Reads a guess set.
///
/// # Errors
/// Returns an error if the file is missing or damaged, or lacks a column of the set.
pub fn read_guess_set(path: &Path) -> Result<Vec<GuessSetRow>, DataError> {
    let file = Unread::open(path)?;
    let rows = file.rows;
    let frame = file.read(None, rows)?;
    let reading = Reading {
        path,
        frame: &frame,
    };
    let numbers = |name| reading.numbers(name);
    let floats = |name| reading.floats(name);
    let guess = numbers("guess")?;
    let game = numbers("game")?;
    let turn = numbers("turn")?;
    let seed = numbers("seed")?;
    let row = numbers("row")?;
    let column = numbers("column")?;
    let lines = numbers("lines")?;
    let looking_lines = numbers("looking_lines")?;
    let layouts = numbers("layouts")?;
    let [board, first_click, position] =
        ["board", "first_click", "position"].map(|name| reading.texts(name));
    let board = board?;
    let first_click = first_click?;
    let position = position?;
    let unknown = floats("unknown")?;
    let weight = floats("weight")?;
    let mine = floats("mine")?;
    let value = floats("value")?;
    let error = floats("error")?;
    let looking_value = floats("looking_value")?;
    let looking_error = floats("looking_error")?;
    let chosen = reading.truths("chosen")?;
    let exact = reading.truths("exact")?;
    let blocks = BLOCKS
        .iter()
        .map(|name| floats(name))
        .collect::<Result<Vec<_>, _>>()?;
    let set = (0..rows).map(|i| GuessSetRow {
        guess: guess[i] as u32,
        game: game[i],
        turn: turn[i] as u32,
        board: board[i].clone(),
        first_click: first_click[i].clone(),
        position: position[i].clone(),
        unknown: unknown[i],
        weight: weight[i],
        seed: seed[i],
        layouts: layouts[i] as u32,
        row: row[i] as u32,
        column: column[i] as u32,
        chosen: chosen[i],
        mine: mine[i],
        exact: exact[i],
        lines: lines[i] as u32,
        value: value[i],
        error: error[i],
        blocks: std::array::from_fn(|block| blocks[block][i]),
        looking_lines: looking_lines[i] as u32,
        looking_value: looking_value[i],
        looking_error: looking_error[i],
    });
    Ok(set.collect())
}
