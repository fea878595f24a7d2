//! What the place of a cell on the board promises (main paper, equation 4).

use super::Position;
use crate::{Cell, Grid};
use mineflow_store::named;

/// A number from 0 to 1 that depends on whether a cell lies in a corner, at an edge or inside, and on the density
/// `d = (m - f) / l` of the mines not found yet ([`Position::density`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum LocationScore {
    /// The chance of an opening, `(1 - d)^k` with k = 4, 6, 9: the cell and its neighbours. Greatest in a corner, as the text
    /// beside equation 4 says: "the probability of a block to have no neighboring mine".
    #[default]
    Opening,
    /// Equation 4 as printed, `1 - d^k` with k = 4, 6, 8: the chance that not all of `k` cells are mines. Least in a corner,
    /// and hardly less than 1 anywhere.
    Printed,
}

/// The scores of a position: two cells differ only in where the board ends.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LocationScores {
    /// Inside, at an edge, in a corner.
    by_place: [f64; 3],
}

named!(LocationScore, "location score": Opening = "opening", Printed = "printed");

impl LocationScore {
    /// The scores of all cells of `position`.
    pub fn of(self, position: &Position<'_>) -> LocationScores {
        let density = position.density();
        let by_place = match self {
            Self::Printed => [8, 6, 4].map(|cells| 1.0 - density.powi(cells)),
            Self::Opening => [9, 6, 4].map(|cells| (1.0 - density).powi(cells)),
        };
        LocationScores { by_place }
    }

    /// The score as equation 9 takes it, where less is better.
    pub(crate) fn to_minimise(self, score: f64) -> f64 {
        match self {
            Self::Printed => score,
            Self::Opening => 1.0 - score,
        }
    }
}

impl LocationScores {
    /// The score of `cell`, 0 to 1.
    #[inline]
    pub fn at(&self, grid: &Grid, cell: Cell) -> f64 {
        let board = grid.board();
        // Eight neighbours show quickly that most cells lie inside.
        if grid.neighbor_count(cell) == 8 {
            return self.by_place[0];
        }
        let (row, col) = board.row_col(cell);
        let across = row == 0 || row + 1 == board.height();
        let along = col == 0 || col + 1 == board.width();
        self.by_place[usize::from(across) + usize::from(along)]
    }
}
