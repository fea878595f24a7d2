//! Mine probabilities put together for a choice.

use super::choose::Position;
use crate::minesweeper::{Cell, CellSet, View};

/// What a [`Position`] shows, kept from decision to decision for its memory.
#[derive(Debug, Default)]
pub(super) struct Weights {
    mine: Vec<f64>,
    boundary: CellSet,
}

impl Weights {
    /// Gives every covered cell but the known mines the probability `off_boundary`.
    pub(super) fn begin(&mut self, view: &View, off_boundary: f64, is_known_mine: impl Fn(Cell) -> bool) {
        let cells = view.grid().board().all_cells();
        self.boundary.reset(cells.len());
        self.mine.clear();
        self.mine.extend(cells.map(|cell| {
            let can_be_chosen = !view.is_open(cell) && !is_known_mine(cell);
            if can_be_chosen { off_boundary } else { f64::NAN }
        }));
    }

    /// Gives a cell of the boundary its own probability.
    pub(super) fn put(&mut self, cell: Cell, probability: f64) {
        self.mine[cell.index()] = probability;
        self.boundary.insert(cell);
    }

    pub(super) fn position(&self) -> Position<'_> {
        Position { mine: &self.mine, boundary: &self.boundary }
    }
}
