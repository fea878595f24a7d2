//! From what a player weighs to the numbers that a model reads.
//!
//! A feature set is a file with a [`PositionFeatures`], named and versioned (`classifier-v2`, `q-v2`), and its line in
//! [`FEATURE_SETS`]. Its code serves generation, training and play; a model names the set that it was trained on.

pub mod classifier_v2;
pub mod guess_v2;
mod location;
pub mod q_v2;
pub mod value_v1;

use std::fmt;

pub use classifier_v2::ClassifierV2;
pub use guess_v2::{GuessRows, GuessV2};
pub use location::LocationScore;
pub use q_v2::QV2;
pub use value_v1::ValueV1;

use crate::solver::TIE;
use crate::{Cell, CellSet, View};
use mineflow_model::FeatureSet;

/// Every feature set, those that are taken where none is named first.
pub static FEATURE_SETS: &[&dyn PositionFeatures] = &[&ClassifierV2, &QV2, &ValueV1, &GuessV2];

/// The feature set of this name.
pub fn feature_set(name: &str) -> Option<&'static dyn PositionFeatures> {
    FEATURE_SETS
        .iter()
        .copied()
        .find(|features| features.set().name == name)
}

/// A feature set of Minesweeper: its description, and how its rows are computed.
pub trait PositionFeatures: fmt::Debug + Send + Sync {
    /// Names, units and ranges of a row's numbers.
    fn set(&self) -> &'static FeatureSet;

    /// Appends the rows to `rows`: (cells, width) row-major. What `scratch` holds matters to no call; its memory is kept from
    /// one to the next.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, scratch: &mut Vec<f32>);

    /// The rows of `cells`, for where memory is not worth keeping.
    fn rows(&self, position: &Position<'_>, settings: &RowSettings, cells: &[Cell]) -> Vec<f32> {
        let mut rows = Vec::with_capacity(cells.len() * self.set().width());
        self.append_rows(
            RowsOf {
                position,
                settings,
                cells,
                shown: &[],
            },
            &mut rows,
            &mut Vec::new(),
        );
        rows
    }
}

/// What rows are computed of.
#[derive(Clone, Copy, Debug)]
pub struct RowsOf<'a> {
    pub position: &'a Position<'a>,
    pub settings: &'a RowSettings,
    /// Candidates of the position, a row each.
    pub cells: &'a [Cell],
    /// What each of them will show, for sets that read it; empty where it isn't known.
    pub shown: &'a [u8],
}

/// What rows depend on besides the position. A set may read less than all of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RowSettings {
    /// Which reading of equation 4.
    pub score: LocationScore,
    /// The share of P in `Sc` (equations 9 and 10), 0 to 1.
    pub alpha: f64,
    /// The value of a cell off the board.
    pub off_board: f32,
}

impl Default for RowSettings {
    /// Those of a set that reads the location score alone.
    fn default() -> Self {
        Self {
            score: LocationScore::default(),
            alpha: 1.0,
            off_board: q_v2::OFF_BOARD,
        }
    }
}

/// What a cell is chosen from.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// What the player sees.
    pub view: &'a View,
    /// One a cell, row-major: the probability that it is a mine as the player's source gives it; NaN where it can't be
    /// chosen (open, or known to be a mine). A probability of 1 is chosen only where there is no other.
    pub mine: &'a [f64],
    /// The covered cells next to an open one that are not known to be mines: the variables `M` of the main paper.
    pub boundary: &'a CellSet,
    /// Mines identified so far, by single numbers or because every solution has them: the flags `f` of equation 4.
    pub mines_found: usize,
}

impl Position<'_> {
    /// The cells that may be chosen, in row-major order: covered, and not known to be mines.
    pub fn candidates(&self) -> impl Iterator<Item = Cell> + '_ {
        self.view
            .grid()
            .board()
            .all_cells()
            .filter(|cell| !self.mine[cell.index()].is_nan())
    }

    /// Mines per cell on the cells that may be chosen, 0 to 1: `(m - f) / l` of equation 4. The text calls `l` the
    /// "uncovered blocks left"; `m - f` mines lie on covered cells that are not flagged, so it is read as their number.
    pub fn density(&self) -> f64 {
        let left = self.view.covered_count().saturating_sub(self.mines_found);
        if left == 0 {
            return 0.0;
        }
        (self.view.mines().saturating_sub(self.mines_found) as f64 / left as f64).min(1.0)
    }

    /// The cell of the boundary with the lowest P, the first in row-major order among equals; `None` with no boundary.
    pub fn least_mine_on_boundary(&self) -> Option<Cell> {
        let mine = |cell: Cell| self.mine[cell.index()];
        let least = self.boundary.iter().map(mine).fold(f64::INFINITY, f64::min);
        self.boundary.iter().find(|&cell| mine(cell) <= least + TIE)
    }
}
