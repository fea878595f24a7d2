//! The location score of a cell (Sinha et al. 2021, equation 4).

use super::Position;
use crate::{Cell, Grid};
use mineflow_store::named;

/// A score from 0 to 1 that depends on whether a cell lies in a corner, at an edge or inside, and
/// on the density `d = (m - f) / l` of the mines not found yet ([`Position::density`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum LocationScore {
    /// The probability of an opening, `(1 - d)^k` with k = 4, 6, 9 (the cell and its neighbours).
    /// The score is highest in a corner, which agrees with the text next to equation 4 of Sinha et
    /// al. (2021): "the probability of a block to have no neighboring mine".
    #[default]
    Opening,
    /// Equation 4 of Sinha et al. (2021) as printed, `1 - d^k` with k = 4, 6, 8: the probability
    /// that not all of `k` cells are mines. The score is lowest in a corner, and close to 1
    /// everywhere.
    Printed,
}

/// The location scores of a position, one for each kind of place.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LocationScores {
    /// The scores of an inner cell, an edge cell and a corner.
    by_place: [f64; 3],
}

named!(LocationScore, "location score": Opening = "opening", Printed = "printed");

impl LocationScore {
    /// Returns the location scores of `position`.
    pub fn of(self, position: &Position<'_>) -> LocationScores {
        let density = position.density();
        let by_place = match self {
            Self::Printed => [8.0, 6.0, 4.0].map(|cells| 1.0 - libm::pow(density, cells)),
            Self::Opening => [9.0, 6.0, 4.0].map(|cells| libm::pow(1.0 - density, cells)),
        };
        LocationScores { by_place }
    }

    /// Converts `score` so that lower is better, since the score `Sc` of equation 9 (Sinha et al.
    /// 2021) is minimised.
    pub(crate) fn to_minimise(self, score: f64) -> f64 {
        match self {
            Self::Printed => score,
            Self::Opening => 1.0 - score,
        }
    }
}

impl LocationScores {
    /// Returns the score of `cell`, 0 to 1.
    pub fn at(&self, grid: &Grid, cell: Cell) -> f64 {
        let board = grid.board();
        // Fast path: most cells have eight neighbours.
        if grid.neighbor_count(cell) == 8 {
            return self.by_place[0];
        }
        let (row, col) = board.row_col(cell);
        let across = row == 0 || row + 1 == board.height();
        let along = col == 0 || col + 1 == board.width();
        self.by_place[usize::from(across) + usize::from(along)]
    }
}
