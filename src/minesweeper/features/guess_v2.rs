//! `guess-v2`: `guess-v1` and the cells around a candidate, as the player sees them.

use super::guess_v1::{self, GuessRows};
use super::{PositionFeatures, RowsOf};
use crate::solver::Analysis;
use crate::{Cell, View};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

/// Steps from the candidate to the side of the square, and cells on a side of it.
const REACH: usize = 3;
const SIDE: usize = 2 * REACH + 1;
/// Numbers a cell.
const EACH: usize = 4;
const AROUND: usize = SIDE * SIDE * EACH;

/// Numbers a row.
pub const WIDTH: usize = guess_v1::WIDTH + AROUND;

macro_rules! cell {
    ($row:literal, $col:literal) => {
        [
            Column::float(concat!($row, "_", $col, "_unknown"), "", (0.0, 1.0), "1 where nothing is known, else 0"),
            Column::float(concat!($row, "_", $col, "_mine"), "probability", (0.0, 1.0), "of a mine; 0 off the board"),
            Column::float(concat!($row, "_", $col, "_open"), "", (0.0, 1.0), "1 where it is open, else 0"),
            Column::float(
                concat!($row, "_", $col, "_number"),
                "mines",
                (0.0, 8.0),
                "that it shows; 0 where it is not open",
            ),
        ]
    };
}

macro_rules! rows {
    ($($row:literal)*) => {
        [$([
            cell!($row, "w3"), cell!($row, "w2"), cell!($row, "w1"), cell!($row, "col"),
            cell!($row, "e1"), cell!($row, "e2"), cell!($row, "e3"),
        ]),*]
    };
}

/// The square row by row: north to south, west to east.
const CELLS: [[[Column; EACH]; SIDE]; SIDE] = rows!("n3" "n2" "n1" "row" "s1" "s2" "s3");

static COLUMNS: [Column; WIDTH] = {
    let mut columns = [guess_v1::COLUMNS[0]; WIDTH];
    let mut i = 0;
    while i < WIDTH {
        columns[i] = match i.checked_sub(guess_v1::WIDTH) {
            None => guess_v1::COLUMNS[i],
            Some(around) => CELLS[around / (SIDE * EACH)][around / EACH % SIDE][around % EACH],
        };
        i += 1;
    }
    columns
};

/// The description of the set.
pub static SET: FeatureSet =
    FeatureSet { name: "guess-v2", columns: &COLUMNS, names: &Column::names(&COLUMNS), target: Target::Gain, turn };

/// The row of the same candidate on a turned board.
fn turn(row: &mut [f32], symmetry: Symmetry) {
    let around = &mut row[guess_v1::WIDTH..];
    let upright: [f32; AROUND] = (&*around).try_into().expect("a row has the width of its feature set");
    let (cells, _) = around.as_chunks_mut::<EACH>();
    for (cell, values) in cells.iter_mut().enumerate() {
        let (row, col) = symmetry.inverse().place((cell / SIDE, cell % SIDE), (SIDE, SIDE));
        values.copy_from_slice(&upright[(row * SIDE + col) * EACH..][..EACH]);
    }
}

/// Computes the rows.
#[derive(Clone, Copy, Debug)]
pub struct GuessV2;

impl PositionFeatures for GuessV2 {
    fn set(&self) -> &'static FeatureSet {
        &SET
    }

    /// As `guess-v1` has them; zeros too for cells around those that it has none for.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, candidates: &mut Vec<f32>) {
        let guess = GuessRows::of(of.position, candidates);
        for &cell in of.cells {
            let begin = rows.len();
            if let Some(own) = guess.row(cell, candidates) {
                append_rows((of.position.view, &guess.parent), [cell], own, rows);
            }
            rows.resize(begin + WIDTH, 0.0);
        }
    }
}

/// Appends a row for each of the candidates `cells` of the position `at`, which is counted; `rows` are theirs of `guess-v1`.
pub fn append_rows(
    (view, at): (&View, &Analysis),
    cells: impl IntoIterator<Item = Cell>,
    rows: &[f32],
    out: &mut Vec<f32>,
) {
    for (cell, row) in cells.into_iter().zip(rows.chunks_exact(guess_v1::WIDTH)) {
        out.extend(row);
        append_around((view, at), cell, out);
    }
}

/// Appends what is known of the cells around `cell`.
fn append_around((view, at): (&View, &Analysis), cell: Cell, out: &mut Vec<f32>) {
    let board = view.board();
    let (row, col) = board.row_col(cell);
    let place = |middle: usize, step: usize| (middle + step).wrapping_sub(REACH);
    for step in 0..SIDE * SIDE {
        let (row, col) = (place(row, step / SIDE), place(col, step % SIDE));
        let known: [f32; EACH] = match board.cell(row, col) {
            None => [0.0; EACH],
            Some(cell) => match view.number(cell) {
                Some(number) => [0.0, 0.0, 1.0, number.into()],
                None if at.is_unknown(cell) => [1.0, at.counted().mine[cell.index()] as f32, 0.0, 0.0],
                None => [0.0, f32::from(u8::from(at.is_mine(cell))), 0.0, 0.0],
            },
        };
        out.extend(known);
    }
}
