//! The outlook of a position, computed without the probability of every cell.

use super::{
    counting::BoxSums,
    frontier::{CellBox, Frontier},
    number::Real,
};

/// The number of layouts, the number of cells proved safe and the best safety of a position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outlook {
    /// Natural logarithm of the number of consistent layouts.
    pub ln_layouts: f64,
    /// Number of covered cells proved safe, by single numbers or because they are a mine in no
    /// layout.
    pub certain: usize,
    /// The highest probability that a cell is safe, 0 to 1; 1 if only mines are left.
    pub safety: f64,
}

/// A receiver of the results of a count, box by box.
pub(super) trait TakeSums<N> {
    /// Receives the cells next to no number, which all have the same probability.
    fn take_rest(&mut self, sums: &BoxSums<N>, cells: usize);

    /// Receives the cells of a box.
    fn take_box(&mut self, sums: &BoxSums<N>, cells: &CellBox);

    /// Receives the boxes of a component.
    fn take_component(&mut self, frontier: &Frontier, i: usize, sums: &[BoxSums<N>]) {
        frontier
            .boxes_of(i)
            .zip(sums)
            .for_each(|(cells, sums)| self.take_box(sums, cells));
    }
}

/// Finds the safest cells of a position.
pub(super) struct Safest<N> {
    layouts: N,
    certain: usize,
    /// The lowest mine probability of a cell that may be a mine or safe.
    least: Option<f64>,
}

impl<N: Real> Safest<N> {
    /// Starts a position with this many layouts, in the same unit as the sums that are added later.
    pub fn of(layouts: N) -> Self {
        Self {
            layouts,
            certain: 0,
            least: None,
        }
    }

    /// Adds `cells` cells with the same sums.
    fn take(&mut self, sums: &BoxSums<N>, cells: usize) {
        if sums.mines.is_zero() {
            self.certain += cells;
        } else if !sums.safe.is_zero() {
            let mine = sums.mines.ratio(self.layouts) / cells as f64;
            self.least = Some(self.least.map_or(mine, |least| least.min(mine)));
        }
    }

    pub fn outlook(self, ln_layouts: f64) -> Outlook {
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
