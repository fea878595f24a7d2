//! From what a player weighs to the numbers that a model reads.
//!
//! One file per feature set, named and versioned (`classifier-v2`, `q-v2`). The same functions serve generation, training
//! and play; a model names the set that it was trained on.

pub mod classifier_v2;
mod location;
pub mod q_v2;
mod symmetry;

pub use location::LocationScore;
pub use symmetry::Symmetry;

use crate::minesweeper::{Cell, CellSet, View};

/// Probabilities no further apart than this are equal.
pub const TIE: f64 = 1e-9;

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
        self.view.grid().board().all_cells().filter(|cell| !self.mine[cell.index()].is_nan())
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

/// A number that a model reads.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Feature {
    /// The column of a data file.
    pub name: &'static str,
    /// What one is: `cells`, `mines`, `probability`.
    pub unit: &'static str,
    /// Least and greatest value.
    pub range: (f64, f64),
    /// What it says, special values among it.
    pub meaning: &'static str,
}

/// The names of a feature set's columns.
const fn names<const N: usize>(features: &[Feature; N]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut i = 0;
    while i < N {
        names[i] = features[i].name;
        i += 1;
    }
    names
}
