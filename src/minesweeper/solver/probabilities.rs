//! The mine probability of every cell, and how it is assembled.

use super::{
    counting::BoxSums,
    deduction::{Mark, SingleNumbers},
    frontier::Frontier,
    number::Real,
};
use crate::{Cell, CellSet};

/// How the solutions of the boundary are weighted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Weighting {
    /// All solutions weigh the same, ignoring the number of mines of the board: P of Sinha et al.
    /// (2021), equation 3.
    Solutions,
    /// Each solution is weighted by the number of ways to place the remaining mines on the other
    /// cells: the posterior.
    Posterior,
}

/// The mine probabilities of a position.
#[derive(Clone, Debug, Default)]
pub struct Probabilities {
    /// One probability per cell, 0 to 1. NaN for open cells, and under [`Weighting::Solutions`] for
    /// cells off the boundary, for which it is not defined.
    pub mine: Vec<f64>,
    /// The boundary: undetermined covered cells next to an open number.
    boundary: CellSet,
    pub(super) ln_layouts: f64,
    /// Cells that are a mine in no layout (`safe`) or in every layout (`mines`), without those that
    /// were proved before the count.
    pub(super) safe: Vec<Cell>,
    pub(super) mines: Vec<Cell>,
}

impl Probabilities {
    /// Returns the covered cells next to an open number that were proved neither safe nor mines
    /// before the count.
    pub fn boundary(&self) -> &CellSet {
        &self.boundary
    }

    /// Returns the natural logarithm of the number of consistent layouts, under
    /// [`Weighting::Posterior`].
    pub fn ln_layouts(&self) -> f64 {
        self.ln_layouts
    }

    /// Fills in what is known without counting.
    pub(super) fn begin(&mut self, deduction: &SingleNumbers) {
        let cells = deduction.grid.off_board();
        self.safe.clear();
        self.mines.clear();
        self.boundary.reset(cells);
        self.mine.clear();
        self.mine
            .extend((0..cells).map(|cell| match deduction.mark(cell) {
                Mark::Safe => 0.0,
                Mark::Mine => 1.0,
                _ => f64::NAN,
            }));
    }

    pub(super) fn put_component<N: Real>(
        &mut self,
        frontier: &Frontier,
        i: usize,
        sums: &[BoxSums<N>],
        total: N,
    ) {
        for (cells, sums) in frontier.boxes_of(i).zip(sums) {
            let probability = sums.mines.ratio(total) / cells.size() as f64;
            for cell in cells.cells() {
                self.boundary.insert(cell);
                self.put_one(cell, probability, sums);
            }
        }
    }

    pub(super) fn put_rest<N: Real>(
        &mut self,
        deduction: &SingleNumbers,
        probability: f64,
        sums: &BoxSums<N>,
    ) {
        for cell in deduction.unknown_rest() {
            self.put_one(cell, probability, sums);
        }
    }

    fn put_one<N: Real>(&mut self, cell: Cell, probability: f64, sums: &BoxSums<N>) {
        // A sum of non-negative terms is zero only if every term is zero. Thus rounding can't make
        // a cell look proved.
        self.mine[cell.index()] = if sums.mines.is_zero() {
            self.safe.push(cell);
            0.0
        } else if sums.safe.is_zero() {
            self.mines.push(cell);
            1.0
        } else {
            probability
        };
    }
}
