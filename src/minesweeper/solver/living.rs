//! The outlook of a position for a player who opens no dead cell.

use super::{
    counting::BoxSums, deduction::SingleNumbers, frontier::CellBox, number::Real, outlook::TakeSums,
};
use crate::Cell;

/// What a player who opens no dead cell ([`super::Analysis::is_dead`]) can expect in a position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct LivingOutlook {
    /// Number of living cells proved safe.
    pub certain: usize,
    /// The lowest mine probability among the living cells that are not known to be safe; `None` if
    /// there are none or if it was not computed.
    pub mine: Option<f64>,
    /// The lowest mine probability among the dead cells. Dead cells that are no safer than some
    /// living cell may be left out.
    pub dead_mine: Option<f64>,
}

impl LivingOutlook {
    /// Returns an outlook with only the number of living cells that are known to be safe.
    pub(super) fn of_certain(known: &SingleNumbers) -> Self {
        Self {
            certain: known
                .safe
                .iter()
                .filter(|&&cell| !known.is_dead(cell))
                .count(),
            ..Self::default()
        }
    }

    /// Adds cells that all have the mine probability `mine`.
    pub(super) fn take(
        &mut self,
        known: &SingleNumbers,
        mine: f64,
        cells: impl IntoIterator<Item = Cell>,
    ) {
        if self.mine.is_some_and(|least| least <= mine) {
            return;
        }
        match cells.into_iter().any(|cell| !known.is_dead(cell)) {
            true => self.mine = Some(mine),
            false => self.dead_mine = Some(self.dead_mine.map_or(mine, |least| least.min(mine))),
        }
    }
}

/// The cells of a position with their probabilities, box by box.
#[derive(Clone, Debug, Default)]
pub(super) struct CountedCells {
    layouts: f64,
    pub safe: Vec<Cell>,
    pub mines: Vec<Cell>,
    /// Boxes whose cells may be mines or safe, with the mine probability of each cell.
    boxes: Vec<(f64, CellBox)>,
    /// The mine probability of each cell next to no number; `None` if there is no such cell.
    rest: Option<f64>,
}

impl CountedCells {
    /// Starts a position with this many layouts, in the same unit as the sums that are added later.
    pub fn begin(&mut self, layouts: f64) {
        self.layouts = layouts;
        self.safe.clear();
        self.mines.clear();
        self.boxes.clear();
        self.rest = None;
    }

    /// Adds the cells next to no number to the proved cells if they are all safe or all mines.
    pub fn settle_rest(&mut self, known: &SingleNumbers) {
        match self.rest {
            Some(0.0) => self.safe.extend(known.unknown_rest()),
            Some(1.0) => self.mines.extend(known.unknown_rest()),
            _ => return,
        }
        self.rest = None;
    }

    /// Adds a cell with the mine probability `mine`.
    pub fn take_cell(&mut self, cell: Cell, mine: f64) {
        match mine {
            0.0 => self.safe.push(cell),
            1.0 => self.mines.push(cell),
            _ => self.boxes.push((mine, CellBox::of(cell))),
        }
    }

    /// Returns the cells next to a number that may be mines or safe, each with its mine
    /// probability.
    pub fn on_boundary(&self) -> impl Iterator<Item = (Cell, f64)> {
        self.boxes
            .iter()
            .flat_map(|(mine, cells)| cells.cells().map(|cell| (cell, *mine)))
    }

    /// Returns the cells next to no number that may be mines or safe, each with its mine
    /// probability.
    pub fn off_boundary(&self, known: &SingleNumbers) -> impl Iterator<Item = (Cell, f64)> {
        self.rest
            .into_iter()
            .flat_map(|mine| known.unknown_rest().map(move |cell| (cell, mine)))
    }

    /// Returns the lowest mine probability of a cell that may be a mine or safe, or `None` if there
    /// is no such cell.
    pub fn least(&self) -> Option<f64> {
        self.boxes
            .iter()
            .map(|&(mine, _)| mine)
            .chain(self.rest)
            .reduce(f64::min)
    }

    /// Returns the outlook of the position. `known` must already include the proved cells.
    pub fn outlook(&self, known: &SingleNumbers) -> LivingOutlook {
        let mut outlook = LivingOutlook::of_certain(known);
        if let Some(mine) = self.rest {
            outlook.take(known, mine, known.unknown_rest());
        }
        for (mine, cells) in &self.boxes {
            outlook.take(known, *mine, cells.cells());
        }
        outlook
    }
}

impl TakeSums<f64> for CountedCells {
    fn take_rest(&mut self, sums: &BoxSums<f64>, cells: usize) {
        self.rest = Some(match (sums.mines.is_zero(), sums.safe.is_zero()) {
            (true, _) => 0.0,
            (_, true) => 1.0,
            _ => sums.mines.ratio(self.layouts) / cells as f64,
        });
    }

    fn take_box(&mut self, sums: &BoxSums<f64>, cells: &CellBox) {
        if sums.mines.is_zero() {
            self.safe.extend(cells.cells());
        } else if sums.safe.is_zero() {
            self.mines.extend(cells.cells());
        } else {
            self.boxes
                .push((sums.mines.ratio(self.layouts) / cells.size() as f64, *cells));
        }
    }
}
