//! `q-v2`: what the Q-networks of players 6.0 and 6.5 read of one action (main paper, section 4.2.3).
//!
//! ```text
//! NW N NE
//! W  a  E     a: the cell to open
//! SW S SE
//! ```

use super::{Feature, LocationScore, Position, Symmetry, names};
use crate::minesweeper::Cell;

/// The name that data and models carry.
pub const NAME: &str = "q-v2";

/// Numbers a row.
pub const WIDTH: usize = 9;

/// The value of an open cell: one of the paper's "invalid values".
pub const OPEN: f32 = -1.0;

/// The value of a cell off the board, where none is chosen. With that of an open cell, a corner would look like a cell with
/// five open neighbours.
pub const OFF_BOARD: f32 = -2.0;

/// The values that a cell off the board may have.
pub const OFF_BOARD_RANGE: std::ops::RangeInclusive<f32> = -2.0..=2.0;

/// What each number is: the 3 x 3 block of `Sc` around the action, row-major.
#[rustfmt::skip]
pub const FEATURES: [Feature; WIDTH] = [
    feature("sc_nw"), feature("sc_n"), feature("sc_ne"),
    feature("sc_w"), feature("sc_action"), feature("sc_e"),
    feature("sc_sw"), feature("sc_s"), feature("sc_se"),
];

/// The names of the columns, in the order of a row.
pub const COLUMNS: [&str; WIDTH] = names(&FEATURES);

const fn feature(name: &'static str) -> Feature {
    let meaning = "Sc of the cell there (equation 9), 0 to 1; -1: open; off the board the value that the settings note";
    Feature { name, unit: "score", range: (-2.0, 2.0), meaning }
}

/// How sub-states are made: `Sc = alpha * P + (1 - alpha) * score` (equation 9), less being better.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Mixture {
    /// 0 to 1.
    pub alpha: f64,
    /// With [`LocationScore::Opening`] it is `1 - score` that is mixed in.
    pub score: LocationScore,
    /// The value of a cell off the board.
    pub off_board: f32,
}

/// `Sc` of every cell of a position, kept from one to the next for its memory.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// [`OPEN`] for open cells; the last slot stands for everything off the board.
    sc: Vec<f32>,
}

impl Rows {
    /// Works out `Sc` of every covered cell. P of a cell known to be a mine is 1.
    pub fn look(&mut self, position: &Position<'_>, mixture: Mixture) {
        let Mixture { alpha, score, off_board } = mixture;
        let scores = score.of(position);
        let (view, grid) = (position.view, position.view.grid());
        self.sc.clear();
        self.sc.extend(grid.board().all_cells().map(|cell| {
            if view.is_open(cell) {
                return OPEN;
            }
            let mine = position.mine[cell.index()];
            let mine = if mine.is_nan() { 1.0 } else { mine };
            (alpha * mine + (1.0 - alpha) * score.to_minimise(scores.at(grid, cell))) as f32
        }));
        self.sc.push(off_board);
    }

    /// `Sc` of `cell`; -1 if it is open.
    #[inline]
    pub fn sc(&self, cell: Cell) -> f32 {
        self.sc[cell.index()]
    }

    /// The sub-state of opening `cell` in the position last looked at.
    #[inline]
    pub fn row(&self, position: &Position<'_>, cell: Cell) -> [f32; WIDTH] {
        let [nw, n, ne, w, e, sw, s, se] = *position.view.grid().around(cell.index());
        [nw, n, ne, w, cell.0, e, sw, s, se].map(|cell| self.sc[usize::from(cell)])
    }
}

/// The row of the same sub-state on a turned board.
pub fn turned(row: &[f32], symmetry: Symmetry) -> [f32; WIDTH] {
    std::array::from_fn(|cell| {
        let (from_row, from_col) = symmetry.inverse().place((cell / 3, cell % 3), (3, 3));
        row[from_row * 3 + from_col]
    })
}
