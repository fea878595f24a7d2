//! Converts positions to text for people and language models, and back.

use mineflow_minesweeper::text;
use mineflow_minesweeper::{Board, Cell, CellView, View};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{COVERED, FLAGGED, mines, refuse};
use crate::exact::one_view;

/// The text for a number without a covered neighbour.
const NONE: &str = "no covered cell around";

/// Writes a view as a `.mine` text: a line WIDTHxHEIGHTxMINES, then the rows, with H for a covered cell and F for a covered cell with a
/// flag.
///
/// view: int8[H, W], -1 covered, -2 covered with a flag, 0 to 8 open; mines: the number of mines on the board.
/// Raises ValueError if the array is not a valid view.
#[pyfunction]
pub fn render(
    view: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = mines)] mines: i64,
) -> PyResult<String> {
    Ok(text::write_mine(&one_view(view, mines)?))
}

/// Writes a view as a list of constraints: a line WIDTHxHEIGHT/MINES, then a line for every open number with the covered cells around it,
/// which contain that many mines. Cells are (row, column), counted from 0; a cell without a line is covered. Flags are omitted.
///
/// view, mines: as in `render`.
/// Raises ValueError if the array is not a valid view.
#[pyfunction]
pub fn constraints(
    view: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = mines)] mines: i64,
) -> PyResult<String> {
    Ok(written(&one_view(view, mines)?))
}

/// Reads a view from a text that `render` or `constraints` wrote.
///
/// Returns (view, mines): int8[H, W], and the number of mines on the board.
/// Raises a ValueError that names the invalid line.
#[pyfunction]
pub fn parse<'py>(py: Python<'py>, text: &str) -> PyResult<(Bound<'py, PyArray2<i8>>, usize)> {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    let view = if first.contains('/') {
        read(text)
    } else {
        text::read_mine(text).map_err(|error| error.to_string())
    };
    let view = view.or_else(|why| refuse(format!("text: {why}")))?;
    let board = view.board();
    let shown = board.all_cells().map(|cell| match view.at(cell) {
        CellView::Covered => COVERED,
        CellView::Flagged => FLAGGED,
        CellView::Open(number) => number as i8,
    });
    Ok((
        PyArray1::from_iter(py, shown).reshape([board.height(), board.width()])?,
        board.mines(),
    ))
}

fn place(board: Board, cell: Cell) -> String {
    let (row, col) = board.row_col(cell);
    format!("({row}, {col})")
}

fn written(view: &View) -> String {
    let board = view.board();
    let numbers = board
        .all_cells()
        .filter_map(|cell| Some(line(view, cell, view.number(cell)?)));
    std::iter::once(board.to_string())
        .chain(numbers)
        .map(|line| line + "\n")
        .collect()
}

/// Formats the line of an open number.
fn line(view: &View, cell: Cell, number: u8) -> String {
    let board = view.board();
    let covered = view
        .grid()
        .neighbors(cell)
        .filter(|&around| !view.is_open(around));
    let covered: Vec<String> = covered.map(|around| place(board, around)).collect();
    let said = match (covered.is_empty(), number) {
        (true, _) => NONE.to_owned(),
        (false, 1) => format!("1 mine in {}", covered.join(" ")),
        (false, number) => format!("{number} mines in {}", covered.join(" ")),
    };
    format!("{number} at {}: {said}", place(board, cell))
}

/// Reads a text of [`written`]. It first opens the numbers, then checks that the covered cells around them are those that the lines name.
fn read(text: &str) -> Result<View, String> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    let mut lines = lines.by_ref().filter(|(_, line)| !line.is_empty());
    let (_, first) = lines.next().ok_or("it is empty")?;
    let board: Board = first.parse().map_err(|error| format!("line 1: {error}"))?;
    let grid = std::sync::Arc::new(mineflow_minesweeper::Grid::new(board));
    let mut view = View::new(grid, board.mines());
    let mut read = Vec::new();
    for (at, text) in lines {
        let wrong = || {
            format!(
                "line {at}: `{text}` is not a number; write 1 at (0, 1): 1 mine in (0, 2) (1, 2)"
            )
        };
        let (number, cell) = opened(board, text).ok_or_else(wrong)?;
        view.open(cell, number)
            .map_err(|error| format!("line {at}: {error}"))?;
        read.push((at, text, cell, number));
    }
    for (at, text, cell, number) in read {
        let expected = line(&view, cell, number);
        if text != expected {
            return Err(format!(
                "line {at}: `{text}` doesn't fit the other lines, which require `{expected}`"
            ));
        }
    }
    Ok(view)
}

/// Parses the number and the cell that a line opens.
fn opened(board: Board, line: &str) -> Option<(u8, Cell)> {
    let (number, rest) = line.split_once(" at (")?;
    let (row, rest) = rest.split_once(", ")?;
    let (col, _) = rest.split_once("): ")?;
    let cell = board.cell(row.parse().ok()?, col.parse().ok()?)?;
    Some((number.parse().ok()?, cell))
}
