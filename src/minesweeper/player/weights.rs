//! The mine probabilities from which a cell is chosen.

use crate::{Cell, CellSet, View, features::Position};

/// The parts of a [`Position`] other than the view. The memory is reused between decisions.
#[derive(Debug, Default)]
pub struct Weights {
    mine: Vec<f64>,
    boundary: CellSet,
    mines_found: usize,
}

impl Weights {
    /// Starts a new position with an empty boundary. Every covered cell except the known mines gets
    /// the probability `off_boundary`.
    pub(super) fn begin(
        &mut self,
        view: &View,
        off_boundary: f64,
        is_known_mine: impl Fn(Cell) -> bool,
    ) {
        let cells = view.grid().board().all_cells();
        self.boundary.reset(cells.len());
        self.mine.clear();
        self.mines_found = 0;
        for cell in cells {
            let is_mine = !view.is_open(cell) && is_known_mine(cell);
            self.mines_found += usize::from(is_mine);
            self.mine.push(match is_mine || view.is_open(cell) {
                true => f64::NAN,
                false => off_boundary,
            });
        }
    }

    /// Sets the probability of a cell, unless it is known to be a mine.
    pub(super) fn put(&mut self, cell: Cell, probability: f64) {
        let mine = &mut self.mine[cell.index()];
        if !mine.is_nan() {
            *mine = probability;
        }
    }

    /// Sets the probability of a cell and adds it to the boundary, unless it is known to be a mine.
    pub(super) fn put_on_boundary(&mut self, cell: Cell, probability: f64) {
        if !self.mine[cell.index()].is_nan() {
            self.mine[cell.index()] = probability;
            self.boundary.insert(cell);
        }
    }

    /// Marks a covered cell as a known mine.
    pub(super) fn rule_out(&mut self, cell: Cell) {
        let mine = &mut self.mine[cell.index()];
        self.mines_found += usize::from(!mine.is_nan());
        *mine = f64::NAN;
    }

    /// Returns the position of these weights. `view` must be the view that was passed to
    /// `Weights::begin`.
    pub fn position<'a>(&'a self, view: &'a View) -> Position<'a> {
        Position {
            view,
            mine: &self.mine,
            boundary: &self.boundary,
            mines_found: self.mines_found,
        }
    }
}
