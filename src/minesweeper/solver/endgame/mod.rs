//! Optimal play at the end of a game: a search over the layouts that are still consistent.
//! `minesweeper::perfect` describes the method.
//!
//! | file | content |
//! |---|---|
//! | `listing` | the layouts of a position |
//! | `search` | the transposition table of sets of layouts, and the limits of a search |

mod listing;
mod search;

use listing::Listing;
use search::{Ended, EndgameSearch, Memo};

use super::{
    Contradiction, CountError, budget::Budget, deduction::SingleNumbers, frontier::Frontier,
};
use crate::{
    Cell,
    perfect::{Lists, Shape},
};

/// The number of layouts of a set, or of cells of a set of up to 64 layouts, that can be examined
/// for the cost of one node.
const WORK_A_NODE: u64 = 64;

/// The limits of an endgame search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLimits {
    /// Maximum number of layouts.
    pub layouts: u32,
    /// Maximum work in nodes. A node is the examination of 64 layouts of a set, or of 64 cells of a
    /// set of up to 64 layouts.
    pub nodes: u32,
}

impl EndgameLimits {
    /// Returns whether a position may be within the limits, given the natural logarithm of its
    /// number of layouts.
    pub(super) fn may_hold(self, ln_layouts: f64) -> bool {
        ln_layouts <= libm::log(f64::from(self.layouts) + 0.5)
    }
}

/// The optimal move of a position in which no cell is proved safe, and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameValue {
    /// The cell to open. Ties between optimal cells go to those that may show several numbers, then
    /// to the safest, then to the first in the solver's order (component by component, cells off
    /// the boundary last).
    pub cell: Cell,
    /// Number of layouts that optimal play wins from here.
    pub won: u32,
    /// Number of consistent layouts.
    pub layouts: u32,
}

/// The value under optimal play of each cell of a position in which no cell is proved safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EndgameCells {
    /// Number of consistent layouts.
    pub layouts: u32,
    /// Every cell that may be a mine or safe, with the number of layouts that optimal play wins
    /// after opening it, in the solver's order.
    pub won: Vec<(Cell, u32)>,
}

/// Searches endgames of at most 64 unknown cells; reuses its memory between searches.
#[derive(Clone, Debug, Default)]
pub struct Endgame {
    listing: Listing,
    shape: Shape,
    lists: Lists<u64>,
    memo: Memo,
}

impl Endgame {
    /// Finds the optimal move of the position in `deduction`, from which `frontier` was built.
    /// Everything that counting proves must already be recorded in `deduction`. Returns `None`
    /// beyond the limits.
    pub(super) fn solve(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameValue>, CountError> {
        let found = self.search((deduction, frontier), limits, budget, |_, lists, search| {
            lists.best_of_all(search)
        })?;
        Ok(found.map(|(layouts, (cell, won))| EndgameValue {
            cell: self.listing.cells[cell],
            won,
            layouts,
        }))
    }

    /// Finds the value of every cell of the position, under the conditions of [`Endgame::solve`].
    /// This takes longer than [`Endgame::solve`], as no cell is pruned.
    pub(super) fn solve_cells(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameCells>, CountError> {
        let found = self.search((deduction, frontier), limits, budget, |_, lists, search| {
            lists.value_of_each(search)
        })?;
        let cells = &self.listing.cells;
        Ok(found.map(|(layouts, won)| EndgameCells {
            layouts,
            won: won
                .into_iter()
                .map(|(cell, won)| (cells[cell], won))
                .collect(),
        }))
    }

    /// Returns the number of layouts and the number of those that optimal play wins after opening
    /// `cells`. Cells may be proved safe in the position. Returns `None` beyond the limits.
    pub(super) fn solve_after(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        cells: &[Cell],
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<(u32, u32)>, CountError> {
        if deduction.unknown == 0 {
            return Ok(Some((1, 1)));
        }
        self.search(
            (deduction, frontier),
            limits,
            budget,
            |listed, lists, search| {
                let is_opened = |&(_, cell): &(usize, &Cell)| cells.contains(cell);
                let opened = listed.iter().enumerate().filter(is_opened);
                let opened = opened.fold(0, |set, (place, _)| set | 1 << place);
                lists.value_of_all(search, (0, opened))
            },
        )
    }

    /// Lists the layouts and passes the listed cells and the layouts to `ask`. Returns the number of layouts and the answer.
    fn search<T>(
        &mut self,
        (deduction, frontier): (&SingleNumbers, &Frontier),
        limits: EndgameLimits,
        budget: &mut Budget,
        ask: impl FnOnce(&[Cell], &mut Lists<u64>, &mut EndgameSearch<'_>) -> Result<T, Ended>,
    ) -> Result<Option<(u32, T)>, CountError> {
        let Self {
            listing,
            shape,
            lists,
            memo,
        } = self;
        let asked = || {
            let layouts = lists.begin();
            listing.list(deduction, frontier, limits.layouts as usize, layouts)?;
            budget.spend(layouts.len() as u64 / 16)?;
            let count = layouts.len() as u32;
            if count < 2 {
                // No layout is consistent, or the only consistent layout determines every cell.
                return Ok(None);
            }
            listing.shape(deduction, shape);
            memo.clear();
            let most_work = u64::from(limits.nodes) * WORK_A_NODE;
            let search = &mut EndgameSearch {
                shape,
                memo,
                budget,
                work: 0,
                most_work,
            };
            Ok(Some((count, ask(&listing.cells, lists, search)?)))
        };
        match asked() {
            Ok(found) => found.map(Some).ok_or_else(|| Contradiction.into()),
            Err(Ended::TooLarge) => Ok(None),
            Err(Ended::Exhausted(reason)) => Err(reason.into()),
        }
    }
}
