//! `classifier-v2`: what the classifiers of players 5.0 and 5.5 read of one covered cell (main paper, section 4.2.2).

use super::location::LocationScores;
use super::{Feature, LocationScore, Position, Symmetry, names};
use crate::minesweeper::Cell;

/// The name that data and models carry.
pub const NAME: &str = "classifier-v2";

/// Numbers a row.
pub const WIDTH: usize = 9;

/// What each number is.
#[rustfmt::skip]
pub const FEATURES: [Feature; WIDTH] = [
    feature("width", "cells", 65_535.0, "columns of the board"),
    feature("height", "cells", 65_535.0, "rows of the board"),
    feature("mines", "mines", 65_535.0, "mines of the board"),
    feature("row", "cells", 65_534.0, "row of the cell, from 0"),
    feature("col", "cells", 65_534.0, "column of the cell, from 0"),
    feature("probability", "probability", 1.0, "that the cell is a mine, as the player's source gives it"),
    feature("boundary_size", "cells", 65_535.0, "|M|: covered cells next to an open one, known mines left out"),
    Feature { range: (-1.0, 65_534.0), ..feature("argmin_cell", "cell", 0.0,
        "row * width + col of the boundary cell least likely a mine, the first of equals; -1 with no boundary") },
    feature("location_score", "score", 1.0, "equation 4: what the place of the cell promises"),
];

/// The names of the columns, in the order of a row.
pub const COLUMNS: [&str; WIDTH] = names(&FEATURES);

const fn feature(name: &'static str, unit: &'static str, high: f64, meaning: &'static str) -> Feature {
    Feature { name, unit, range: (0.0, high), meaning }
}

/// What the rows of one position have in common, worked out once.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rows {
    /// A row with the cell's own numbers left out.
    common: [f32; WIDTH],
    scores: LocationScores,
}

impl Rows {
    /// Looks at a position; costs a pass over its boundary.
    pub fn new(position: &Position<'_>, score: LocationScore) -> Self {
        let board = position.view.board();
        let mut common = [0.0; WIDTH];
        common[0] = board.width() as f32;
        common[1] = board.height() as f32;
        common[2] = board.mines() as f32;
        common[6] = position.boundary.len() as f32;
        common[7] = position.least_mine_on_boundary().map_or(-1.0, |cell| f32::from(cell.0));
        Self { common, scores: score.of(position) }
    }

    /// The row of `cell`, a candidate of the position that this was made of.
    #[inline]
    pub fn row(&self, position: &Position<'_>, cell: Cell) -> [f32; WIDTH] {
        let grid = position.view.grid();
        let (row, col) = grid.board().row_col(cell);
        let mut numbers = self.common;
        numbers[3] = row as f32;
        numbers[4] = col as f32;
        numbers[5] = position.mine[cell.index()] as f32;
        numbers[8] = self.scores.at(grid, cell) as f32;
        numbers
    }
}

/// The row of the same cell on a turned board. Ties for `argmin_cell` may fall otherwise there.
pub fn turned(row: &[f32], symmetry: Symmetry) -> [f32; WIDTH] {
    let mut turned: [f32; WIDTH] = row.try_into().expect("a row has the width of its feature set");
    let (width, height) = (row[0] as usize, row[1] as usize);
    let place = |row: usize, col: usize| symmetry.place((row, col), (height, width));
    let turned_width = if symmetry.transposes() { height } else { width };
    if symmetry.transposes() {
        turned.swap(0, 1);
    }
    let (to_row, to_col) = place(row[3] as usize, row[4] as usize);
    (turned[3], turned[4]) = (to_row as f32, to_col as f32);
    if row[7] >= 0.0 {
        let argmin = row[7] as usize;
        let (to_row, to_col) = place(argmin / width, argmin % width);
        turned[7] = (to_row * turned_width + to_col) as f32;
    }
    turned
}
