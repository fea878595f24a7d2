//! `q-v2`: the features of one action for the Q-networks of players 6.0 and 6.5 (Sinha et al. 2021,
//! section 4.2.3).
//!
//! ```text
//! NW N NE
//! W  a  E     a: the cell to open
//! SW S SE
//! ```

use super::{PositionFeatures, RowsOf};
use mineflow_model::{Column, FeatureSet, Symmetry, Target};

/// The number of values per row.
pub const WIDTH: usize = 9;

/// The value of an open cell: one of the "invalid values" of Sinha et al. (2021).
pub const OPEN: f32 = -1.0;

/// The default value of a cell off the board. It differs from the value of an open cell; otherwise
/// a corner would look like a cell with five open neighbours.
pub const OFF_BOARD: f32 = -2.0;

/// The range of values for a cell off the board.
pub const OFF_BOARD_RANGE: std::ops::RangeInclusive<f32> = -2.0..=2.0;

/// The 3 x 3 block of `Sc` around the action, row-major.
#[rustfmt::skip]
const COLUMNS: [Column; WIDTH] = [
    column("sc_nw"), column("sc_n"), column("sc_ne"),
    column("sc_w"), column("sc_action"), column("sc_e"),
    column("sc_sw"), column("sc_s"), column("sc_se"),
];

const fn column(name: &'static str) -> Column {
    let meaning = "Sc of the cell there (equation 9), 0 to 1; -1: open; off the board the value that the settings note";
    Column::float(name, "score", (-2.0, 2.0), meaning)
}

/// The description of `q-v2`.
pub static SET: FeatureSet = FeatureSet {
    name: "q-v2",
    columns: &COLUMNS,
    names: &Column::names(&COLUMNS),
    target: Target::Return,
    turn,
};

/// The `q-v2` feature set.
#[derive(Clone, Copy, Debug)]
pub struct QV2;

impl PositionFeatures for QV2 {
    fn set(&self) -> &'static FeatureSet {
        &SET
    }

    /// Computes `Sc = alpha * P + (1 - alpha) * score` (Sinha et al. 2021, equation 9; lower is
    /// better) for every cell of the board, once per call.
    /// [`LocationScore::Opening`](super::LocationScore::Opening) enters as `1 - score`; P of a cell
    /// known to be a mine is 1.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, scratch: &mut Vec<f32>) {
        let score = of.settings.score;
        let alpha = of.settings.alpha;
        let position = of.position;
        let scores = score.of(position);
        let grid = position.view.grid();
        let sc = scratch;
        sc.clear();
        sc.extend(grid.board().all_cells().map(|cell| {
            if position.view.is_open(cell) {
                return OPEN;
            }
            let mine = position.mine[cell.index()];
            let mine = if mine.is_nan() { 1.0 } else { mine };
            (alpha * mine + (1.0 - alpha) * score.to_minimise(scores.at(grid, cell))) as f32
        }));
        // The last slot represents everything off the board.
        sc.push(of.settings.off_board);
        rows.extend(of.cells.iter().flat_map(|&cell| {
            let [nw, n, ne, w, e, sw, s, se] = *grid.around(cell.index());
            [nw, n, ne, w, cell.0, e, sw, s, se].map(|cell| sc[usize::from(cell)])
        }));
    }
}

/// Transforms a row to that of the same sub-state on the transformed board.
fn turn(row: &mut [f32], symmetry: Symmetry) {
    let upright: [f32; WIDTH] = (&*row)
        .try_into()
        .expect("a row has the width of its feature set");
    for (cell, value) in row.iter_mut().enumerate() {
        let (from_row, from_col) = symmetry.inverse().place((cell / 3, cell % 3), (3, 3));
        *value = upright[from_row * 3 + from_col];
    }
}
