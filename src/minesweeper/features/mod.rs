//! Feature sets: the model inputs that are computed from a position.
//!
//! A feature set implements [`PositionFeatures`], has a name with a version (`classifier-v2`,
//! `q-v2`) and is listed in [`FEATURE_SETS`]. The same code computes the rows in data generation,
//! training and play. A model names the feature set that it was trained on.

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

use crate::{
    Cell, CellSet, View,
    solver::{Analysis, TIE},
};
use mineflow_model::FeatureSet;

/// All feature sets.
pub static FEATURE_SETS: &[&dyn PositionFeatures] = &[&ClassifierV2, &QV2, &ValueV1, &GuessV2];

/// Returns the feature set with this name, or `None` if there is none.
pub fn feature_set(name: &str) -> Option<&'static dyn PositionFeatures> {
    FEATURE_SETS
        .iter()
        .copied()
        .find(|features| features.set().name == name)
}

/// A feature set of Minesweeper: its description and the computation of its rows.
pub trait PositionFeatures: fmt::Debug + Send + Sync {
    /// Returns the description of the feature set: the names, units and ranges of its features.
    fn set(&self) -> &'static FeatureSet;

    /// Appends one row per cell to `rows`. The appended values have the shape (cells, width),
    /// row-major. `scratch` only reuses memory between calls; its content does not affect the
    /// result.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, scratch: &mut Vec<f32>);

    /// Returns the rows of `cells` in a new vector, for callers that don't reuse memory.
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

/// The input of [`PositionFeatures::append_rows`].
#[derive(Clone, Copy, Debug)]
pub struct RowsOf<'a> {
    pub position: &'a Position<'a>,
    pub settings: &'a RowSettings,
    /// Candidates of the position, one row each.
    pub cells: &'a [Cell],
    /// The number that each cell will show, for feature sets that use it; empty if unknown.
    pub shown: &'a [u8],
}

/// The settings of a feature set. A feature set may use only some of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RowSettings {
    /// The variant of equation 4 (Sinha et al. 2021).
    pub score: LocationScore,
    /// The weight of P in `Sc` (Sinha et al. 2021, equations 9 and 10), 0 to 1.
    pub alpha: f64,
    /// The value of a cell off the board.
    pub off_board: f32,
}

impl Default for RowSettings {
    /// Returns the settings for a feature set that uses only the location score.
    fn default() -> Self {
        Self {
            score: LocationScore::default(),
            alpha: 1.0,
            off_board: q_v2::OFF_BOARD,
        }
    }
}

/// The position from which a player chooses a cell.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// What the player sees.
    pub view: &'a View,
    /// The probability that each cell is a mine, row-major, as estimated by the player's source of
    /// probabilities. It is NaN for cells that can't be chosen (open, or known to be a mine). A
    /// cell with probability 1 is chosen only if there is no other.
    pub mine: &'a [f64],
    /// The covered cells next to an open one that are not known to be mines: the variables `M` of
    /// Sinha et al. (2021).
    pub boundary: &'a CellSet,
    /// The number of mines identified so far, by single numbers or because every solution has them:
    /// the flags `f` of equation 4 (Sinha et al. 2021).
    pub mines_found: usize,
}

impl Position<'_> {
    /// Returns the candidate cells in row-major order: the covered cells that are not known to be
    /// mines.
    pub fn candidates(&self) -> impl Iterator<Item = Cell> + '_ {
        self.view
            .grid()
            .board()
            .all_cells()
            .filter(|cell| !self.mine[cell.index()].is_nan())
    }

    /// Returns the density of the mines not found yet, 0 to 1: `(m - f) / l` of equation 4 (Sinha
    /// et al. 2021). Sinha et al. call `l` the "uncovered blocks left". Since the other `m - f`
    /// mines lie on covered cells that are not identified mines, `l` is taken as the number of
    /// these cells.
    pub fn density(&self) -> f64 {
        let left = self.view.covered_count().saturating_sub(self.mines_found);
        if left == 0 {
            return 0.0;
        }
        (self.view.mines().saturating_sub(self.mines_found) as f64 / left as f64).min(1.0)
    }

    /// Returns the boundary cell with the lowest mine probability, or `None` if there is no
    /// boundary. Ties go to the first cell in row-major order.
    pub fn least_mine_on_boundary(&self) -> Option<Cell> {
        let mine = |cell: Cell| self.mine[cell.index()];
        let least = self.boundary.iter().map(mine).fold(f64::INFINITY, f64::min);
        self.boundary.iter().find(|&cell| mine(cell) <= least + TIE)
    }
}

/// Inserts a mine probability into the lowest ones, which are in ascending order.
fn insert_least(least: &mut [f64], mine: f64) {
    let mut higher = mine;
    for place in least {
        if higher < *place {
            std::mem::swap(&mut higher, place);
        }
    }
}

/// Joins the parts of a row.
fn joined<const N: usize>(parts: &[&[f32]]) -> [f32; N] {
    let mut row = [0.0; N];
    let values = parts.iter().copied().flatten();
    row.iter_mut()
        .zip(values)
        .for_each(|(place, &value)| *place = value);
    row
}

/// Returns the number of mines per unknown cell, 0 to 1.
fn mines_per_unknown(at: &Analysis) -> f32 {
    match at.unknown() {
        0 => 0.0,
        unknown => at.mines_left() as f32 / unknown as f32,
    }
}
