//! Mine probabilities put together for a choice.

use crate::features::Position;
use crate::{Cell, CellSet, View};

/// What a [`Position`] shows but for the view, kept from decision to decision for its memory.
#[derive(Debug, Default)]
pub struct Weights {
    mine: Vec<f64>,
    boundary: CellSet,
    mines_found: usize,
}

impl Weights {
    /// Gives every covered cell but the known mines the probability `off_boundary`.
    pub(super) fn begin(
        &mut self,
        view: &View,
        off_boundary: f64,
        is_known_mine: impl Fn(Cell) -> bool,
    ) {
        let Self {
            mine,
            boundary,
            mines_found,
        } = self;
        let cells = view.grid().board().all_cells();
        boundary.reset(cells.len());
        mine.clear();
        *mines_found = 0;
        mine.extend(cells.map(|cell| {
            if view.is_open(cell) {
                f64::NAN
            } else if is_known_mine(cell) {
                *mines_found += 1;
                f64::NAN
            } else {
                off_boundary
            }
        }));
    }

    /// Gives a cell its own probability, unless it is known to be a mine.
    pub(super) fn put(&mut self, cell: Cell, probability: f64) {
        let mine = &mut self.mine[cell.index()];
        if !mine.is_nan() {
            *mine = probability;
        }
    }

    /// The same for a cell of the boundary.
    pub(super) fn put_on_boundary(&mut self, cell: Cell, probability: f64) {
        if !self.mine[cell.index()].is_nan() {
            self.mine[cell.index()] = probability;
            self.boundary.insert(cell);
        }
    }

    /// Gives the cells off the boundary the probability that `of` reads in what is put together so far.
    pub(super) fn put_elsewhere(&mut self, view: &View, of: impl Fn(&Position<'_>) -> f64) {
        let probability = of(&self.position(view));
        for (index, mine) in self.mine.iter_mut().enumerate() {
            if !mine.is_nan() && !self.boundary.contains(Cell(index as u16)) {
                *mine = probability;
            }
        }
    }

    /// Takes out a covered cell that is known to be a mine.
    pub(super) fn rule_out(&mut self, cell: Cell) {
        let mine = &mut self.mine[cell.index()];
        self.mines_found += usize::from(!mine.is_nan());
        *mine = f64::NAN;
    }

    /// What was put together, for the view that `Weights::begin` was given.
    pub fn position<'a>(&'a self, view: &'a View) -> Position<'a> {
        let Self {
            mine,
            boundary,
            mines_found,
        } = self;
        Position {
            view,
            mine,
            boundary,
            mines_found: *mines_found,
        }
    }
}
