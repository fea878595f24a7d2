//! The text protocol between a program that plays and its referee, which `docs/src/benchmark.md`
//! describes: the lines that both sides of it write and read.

use std::fmt::Write as _;

use crate::{
    Board, Cell, View,
    text::{TextError, view_on},
};

/// Appends the rows of a position, joined by `/`.
pub fn write_rows(view: &View, line: &mut String) {
    let board = view.board();
    for cell in board.all_cells() {
        if cell.index() > 0 && board.row_col(cell).1 == 0 {
            line.push('/');
        }
        line.push(match view.number(cell) {
            None => '#',
            Some(0) => '.',
            Some(number) => char::from(b'0' + number),
        });
    }
}

/// Reads rows on the board of `view`. Cells are opened in row-major order.
///
/// # Errors
/// Returns an error if `rows` is not a position on this board.
pub fn read_rows(rows: &str, view: &View) -> Result<View, TextError> {
    let rows = rows.replace('.', "0");
    let rows: Vec<_> = rows.split('/').collect();
    view_on(view.grid().clone(), view.mines(), &rows)
}

/// Returns a line that opens cells.
pub fn write_open(cells: &[Cell], board: Board) -> String {
    let mut line = "open".to_owned();
    for &cell in cells {
        let (row, column) = board.row_col(cell);
        let _ = write!(line, " {row} {column}");
    }
    line + "\n"
}

/// What a line that opens cells says.
pub struct Opened<'l> {
    pub cells: Vec<Cell>,
    /// After `p`: the mine probability of each covered cell, row-major; empty if there is no `p`.
    pub mine: Vec<f64>,
    /// The text after `why`.
    pub why: &'l str,
}

/// Reads what follows `open` in a line.
///
/// # Errors
/// Returns what is missing: cells, all covered, or after `p` a probability of each covered cell.
pub fn read_open<'l>(line: &'l str, view: &View) -> Result<Opened<'l>, String> {
    let (line, why) = line.split_once("why").unwrap_or((line, ""));
    let (cells, chances) = line.split_once('p').unwrap_or((line, ""));
    let mine = chances.split_ascii_whitespace().map(str::parse);
    let mine: Vec<f64> = mine.collect::<Result<_, _>>().unwrap_or(vec![f64::NAN]);
    let covered = view.covered().count();
    let is_complete = mine.is_empty() || mine.len() == covered;
    if !is_complete || !mine.iter().all(|chance| (0.0..=1.0).contains(chance)) {
        return Err(format!("and not {covered} probabilities after `p`"));
    }
    let cells = read_cells(cells, view).ok_or("and not rows and columns of covered cells")?;
    let why = why.trim();
    Ok(Opened { cells, mine, why })
}

/// Reads rows and columns. Returns `None` if there are none, or if a cell is off the board or open.
fn read_cells(text: &str, view: &View) -> Option<Vec<Cell>> {
    let mut numbers = text.split_ascii_whitespace().map(str::parse);
    let mut cells = Vec::new();
    while let Some(row) = numbers.next() {
        let cell = view.board().cell(row.ok()?, numbers.next()?.ok()?)?;
        cells.push((!view.is_open(cell)).then_some(cell)?);
    }
    (!cells.is_empty()).then_some(cells)
}
