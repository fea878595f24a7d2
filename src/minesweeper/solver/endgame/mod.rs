//! The end of a game played perfectly: a search over the layouts that still fit, see `minesweeper::perfect`.
//!
//! | file | what |
//! |---|---|
//! | `listing` | the layouts of a position |
//! | `search` | what is remembered of a set, and how much may still be done |

mod listing;
mod search;

use listing::Listing;
use search::{Ended, EndgameSearch, Memo};

use super::budget::Budget;
use super::deduction::SingleNumbers;
use super::frontier::Frontier;
use super::{Contradiction, CountError};
use crate::Cell;
use crate::perfect::{Lists, Shape};

/// What a node stands for: layouts of a set that are looked at, or cells of a small set.
const WORK_A_NODE: u64 = 64;

/// How far an endgame may be searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameLimits {
    /// Most layouts.
    pub layouts: u32,
    /// Most work: a node is 64 layouts of a set looked at once, or 64 cells of a set of up to 64 layouts.
    pub nodes: u32,
}

impl EndgameLimits {
    /// Whether a position with this many layouts, by their natural logarithm, is within them.
    pub(super) fn may_hold(self, ln_layouts: f64) -> bool {
        ln_layouts <= (f64::from(self.layouts) + 0.5).ln()
    }
}

/// What perfect play makes of a position in which no cell is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EndgameValue {
    /// The cell to open: of the best that may show several numbers, if there is any, the safest, then the first in the solver's order
    /// (component by component, those off the boundary last).
    pub cell: Cell,
    /// Layouts that are won from here.
    pub won: u32,
    /// Layouts that fit.
    pub layouts: u32,
}

/// What perfect play makes of each cell of such a position.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct EndgameCells {
    /// Layouts that fit.
    pub layouts: u32,
    /// Every cell that may be a mine or safe, and how many layouts are won after it, in the solver's order.
    pub won: Vec<(Cell, u32)>,
}

/// Searches endgames of at most 64 unknown cells; keeps its memory from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Endgame {
    listing: Listing,
    shape: Shape,
    lists: Lists<u64>,
    memo: Memo,
}

impl Endgame {
    /// The best move of the position that `deduction` holds and `frontier` was built from, all certain cells being known;
    /// `None` beyond the limits.
    pub(super) fn solve(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameValue>, CountError> {
        let found = self.search((deduction, frontier), limits, budget, |lists, search| {
            lists.best_of_all(search)
        })?;
        Ok(found.map(|(layouts, (cell, won))| EndgameValue {
            cell: self.listing.cells[cell],
            won,
            layouts,
        }))
    }

    /// The same of every cell. Takes longer, as no cell is left out.
    pub(super) fn solve_cells(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameCells>, CountError> {
        let found = self.search((deduction, frontier), limits, budget, |lists, search| {
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

    /// Lists the layouts and asks about them: how many there are, and the answer.
    fn search<T>(
        &mut self,
        (deduction, frontier): (&SingleNumbers, &Frontier),
        limits: EndgameLimits,
        budget: &mut Budget,
        ask: impl FnOnce(&mut Lists<u64>, &mut EndgameSearch<'_>) -> Result<T, Ended>,
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
                // None fits, or every cell is certain.
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
            Ok(Some((count, ask(lists, search)?)))
        };
        match asked() {
            Ok(found) => found.map(Some).ok_or_else(|| Contradiction.into()),
            Err(Ended::TooLarge) => Ok(None),
            Err(Ended::Exhausted(reason)) => Err(reason.into()),
        }
    }
}
