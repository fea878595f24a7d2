//! `classifier-v2`: the features of one covered cell for the classifiers of players 5.0 and 5.5
//! (Sinha et al. 2021, section 4.2.2).

use super::{PositionFeatures, RowsOf};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

/// The number of values per row.
pub const WIDTH: usize = 9;

/// The index of the mine probability in a row.
pub const PROBABILITY: usize = 5;

#[rustfmt::skip]
const COLUMNS: [Column; WIDTH] = [
    column("width", "cells", 65_535.0, "columns of the board"),
    column("height", "cells", 65_535.0, "rows of the board"),
    column("mines", "mines", 65_535.0, "mines of the board"),
    column("row", "cells", 65_534.0, "row of the cell, from 0"),
    column("col", "cells", 65_534.0, "column of the cell, from 0"),
    column("probability", "probability", 1.0, "that the cell is a mine, as the player's source gives it"),
    column("boundary_size", "cells", 65_535.0, "|M|: covered cells next to an open one, known mines left out"),
    Column::float("argmin_cell", "cell", (-1.0, 65_534.0),
        "row * width + col of the boundary cell least likely a mine, the first of equals; -1 with no boundary"),
    column("location_score", "score", 1.0, "equation 4: what the place of the cell promises"),
];

const fn column(
    name: &'static str,
    unit: &'static str,
    high: f64,
    meaning: &'static str,
) -> Column {
    Column::float(name, unit, (0.0, high), meaning)
}

/// The description of `classifier-v2`.
pub static SET: FeatureSet = FeatureSet {
    name: "classifier-v2",
    columns: &COLUMNS,
    names: &Column::names(&COLUMNS),
    target: Target::Safe,
    turn,
};

/// The `classifier-v2` feature set.
#[derive(Clone, Copy, Debug)]
pub struct ClassifierV2;

impl PositionFeatures for ClassifierV2 {
    fn set(&self) -> &'static FeatureSet {
        &SET
    }

    /// Appends one row per cell. Each call makes one pass over the boundary.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, _: &mut Vec<f32>) {
        let position = of.position;
        let grid = position.view.grid();
        let board = position.view.board();
        let scores = of.settings.score.of(position);
        let argmin_cell = position
            .least_mine_on_boundary()
            .map_or(-1.0, |cell| f32::from(cell.0));
        let boundary_size = position.boundary.len();
        rows.extend(of.cells.iter().flat_map(|&cell| {
            let (row, col) = board.row_col(cell);
            let sizes = [board.width(), board.height(), board.mines(), row, col];
            let [width, height, mines, row, col] = sizes.map(|number| number as f32);
            [
                width,
                height,
                mines,
                row,
                col,
                position.mine[cell.index()] as f32,
                boundary_size as f32,
                argmin_cell,
                scores.at(grid, cell) as f32,
            ]
        }));
    }
}

/// Transforms a row to that of the same cell on the transformed board. If several cells tie for
/// `argmin_cell`, the features of the transformed board may name another one.
fn turn(row: &mut [f32], symmetry: Symmetry) {
    let width = row[0] as usize;
    let height = row[1] as usize;
    let place = |row: usize, col: usize| symmetry.place((row, col), (height, width));
    let turned_width = if symmetry.transposes() { height } else { width };
    if symmetry.transposes() {
        row.swap(0, 1);
    }
    let (to_row, to_col) = place(row[3] as usize, row[4] as usize);
    (row[3], row[4]) = (to_row as f32, to_col as f32);
    if row[7] >= 0.0 {
        let argmin = row[7] as usize;
        let (to_row, to_col) = place(argmin / width, argmin % width);
        row[7] = (to_row * turned_width + to_col) as f32;
    }
}
