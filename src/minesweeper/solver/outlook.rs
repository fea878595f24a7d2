//! What a position promises, without the probability of every cell.

use super::counting::BoxSums;
use super::frontier::{CellBox, Frontier};
use super::number::Real;

/// What a position promises.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Outlook {
    /// Natural logarithm of the number of layouts that fit.
    pub ln_layouts: f64,
    /// Cells that are known to be safe, or are in no mine of any layout.
    pub certain: usize,
    /// The greatest safety of a cell, 0 to 1; 1 where all that are left are mines.
    pub safety: f64,
}

/// Takes in what counting finds, box by box.
pub(super) trait TakeSums<N> {
    /// Takes in the cells next to no number, which are alike.
    fn take_rest(&mut self, sums: &BoxSums<N>, cells: usize);

    /// Takes in the cells of a box.
    fn take_box(&mut self, sums: &BoxSums<N>, cells: &CellBox);

    /// Takes in the boxes of a component.
    fn take_component(&mut self, frontier: &Frontier, i: usize, sums: &[BoxSums<N>]) {
        frontier
            .boxes_of(i)
            .zip(sums)
            .for_each(|(cells, sums)| self.take_box(sums, cells));
    }
}

/// The safest cells of a position.
pub(super) struct Safest<N> {
    layouts: N,
    certain: usize,
    /// The least probability of a mine in a cell that may be either.
    least: Option<f64>,
}

impl<N: Real> Safest<N> {
    /// Of a position with this many layouts, in the unit of the sums to come.
    pub(super) fn of(layouts: N) -> Self {
        Self {
            layouts,
            certain: 0,
            least: None,
        }
    }

    /// Takes in `cells` cells that are alike.
    fn take(&mut self, sums: &BoxSums<N>, cells: usize) {
        if sums.mines.is_zero() {
            self.certain += cells;
        } else if !sums.safe.is_zero() {
            let mine = sums.mines.ratio(self.layouts) / cells as f64;
            self.least = Some(self.least.map_or(mine, |least| least.min(mine)));
        }
    }

    pub(super) fn outlook(self, ln_layouts: f64) -> Outlook {
        let safety = if self.certain > 0 {
            1.0
        } else {
            1.0 - self.least.unwrap_or(0.0)
        };
        Outlook {
            ln_layouts,
            certain: self.certain,
            safety,
        }
    }
}

impl<N: Real> TakeSums<N> for Safest<N> {
    fn take_rest(&mut self, sums: &BoxSums<N>, cells: usize) {
        self.take(sums, cells);
    }

    fn take_box(&mut self, sums: &BoxSums<N>, cells: &CellBox) {
        self.take(sums, cells.size());
    }
}
