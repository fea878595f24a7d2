//! Lists the layouts of a position.

use super::search::Ended;
use crate::{
    Cell,
    perfect::{MOST_CELLS, Shape},
    solver::{
        deduction::{Mark, SingleNumbers},
        frontier::Frontier,
    },
};

/// Maximum number of search steps for each layout that the limit allows.
const STEPS_A_LAYOUT: usize = 256;

/// A cell-by-cell enumeration of layouts.
#[derive(Clone, Debug, Default)]
pub(super) struct Listing {
    /// The unknown cells, those on the boundary first, and then the covered cells that are proved
    /// safe and next to an unknown cell.
    pub cells: Vec<Cell>,
    /// The constraints of the boundary cells, cell by cell.
    constraints: Vec<u16>,
    /// The start of each boundary cell's constraints in `constraints`, followed by their end.
    first: Vec<usize>,
    /// Number of mines that each constraint still needs.
    needs: Vec<u8>,
    /// Number of cells of each constraint that are not assigned yet.
    open_cells: Vec<u8>,
    steps_left: usize,
}

impl Listing {
    /// Lists the layouts, or fails if there are more than `most`. A layout is the set of its mines,
    /// one bit for each of [`Listing::cells`].
    pub fn list(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        most: usize,
        layouts: &mut Vec<u64>,
    ) -> Result<(), Ended> {
        let is_near = |cell: &Cell| {
            let mut around = deduction.grid.around(cell.index()).iter();
            around.any(|&cell| deduction.mark(usize::from(cell)) == Mark::Unknown)
        };
        let safe: Vec<Cell> = deduction.safe.iter().copied().filter(is_near).collect();
        if deduction.unknown + safe.len() > MOST_CELLS {
            return Err(Ended::TooLarge);
        }
        self.cells.clear();
        self.constraints.clear();
        self.first.clear();
        self.needs.clear();
        let constraints = frontier.constraints.iter();
        self.needs
            .extend(constraints.map(|constraint| constraint.need));
        self.open_cells.clear();
        self.open_cells.resize(self.needs.len(), 0);
        for component in 0..frontier.components.len() {
            for alike in frontier.boxes_of(component) {
                for cell in alike.cells() {
                    self.cells.push(cell);
                    self.first.push(self.constraints.len());
                    self.constraints
                        .extend_from_slice(alike.constraints.as_slice());
                }
            }
        }
        self.first.push(self.constraints.len());
        for &constraint in &self.constraints {
            self.open_cells[usize::from(constraint)] += 1;
        }
        self.cells.extend(deduction.unknown_rest());
        self.steps_left = STEPS_A_LAYOUT * most.max(16);
        self.lay(0, 0, frontier.mines_left, most, layouts)?;
        self.cells.extend(safe);
        Ok(())
    }

    /// Assigns the cells from `cell` on in all possible ways.
    fn lay(
        &mut self,
        cell: usize,
        mines: u64,
        mines_left: usize,
        most: usize,
        layouts: &mut Vec<u64>,
    ) -> Result<(), Ended> {
        self.steps_left = self.steps_left.checked_sub(1).ok_or(Ended::TooLarge)?;
        if mines_left > self.cells.len() - cell {
            return Ok(());
        }
        if cell == self.cells.len() {
            if layouts.len() == most {
                return Err(Ended::TooLarge);
            }
            layouts.push(mines);
            return Ok(());
        }
        let constraints = match self.first.get(cell + 1) {
            Some(&end) => self.first[cell]..end,
            None => 0..0,
        };
        for mine in 0..=1 {
            if usize::from(mine) > mines_left {
                break;
            }
            let own = &self.constraints[constraints.clone()];
            let fits = own.iter().all(|&constraint| {
                let need = self.needs[usize::from(constraint)];
                mine <= need && need - mine < self.open_cells[usize::from(constraint)]
            });
            if !fits {
                continue;
            }
            for &constraint in own {
                self.needs[usize::from(constraint)] -= mine;
                self.open_cells[usize::from(constraint)] -= 1;
            }
            self.lay(
                cell + 1,
                mines | u64::from(mine) << cell,
                mines_left - usize::from(mine),
                most,
                layouts,
            )?;
            for &constraint in &self.constraints[constraints.clone()] {
                self.needs[usize::from(constraint)] += mine;
                self.open_cells[usize::from(constraint)] += 1;
            }
        }
        Ok(())
    }

    /// Writes the shape of the position whose layouts were listed.
    pub fn shape(&self, deduction: &SingleNumbers, shape: &mut Shape) {
        let place = |&cell: &u16| self.cells.iter().position(|other| other.0 == cell);
        let may_be_listed = |&&cell: &&u16| {
            matches!(
                deduction.mark(usize::from(cell)),
                Mark::Unknown | Mark::Safe
            )
        };
        let near = |cell: &Cell| {
            let around = deduction.grid.around(cell.index()).iter();
            let listed = around.filter(may_be_listed).filter_map(place);
            listed.fold(0, |set, cell| set | 1 << cell)
        };
        shape.all = (0..self.cells.len()).fold(0, |set, cell| set | 1 << cell);
        shape.around.clear();
        shape.around.extend(self.cells.iter().map(near));
        shape.linked.clone_from(&shape.around);
        let mut scopes = vec![0; self.needs.len()];
        let of = |cell: usize| &self.constraints[self.first[cell]..self.first[cell + 1]];
        for cell in 0..self.first.len() - 1 {
            for &constraint in of(cell) {
                scopes[usize::from(constraint)] |= 1 << cell;
            }
        }
        for cell in 0..self.first.len() - 1 {
            for &constraint in of(cell) {
                shape.linked[cell] |= scopes[usize::from(constraint)];
            }
        }
    }
}
