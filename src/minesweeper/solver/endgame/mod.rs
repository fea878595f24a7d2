//! The end of a game played perfectly: a tree over sets of layouts.
//!
//! What is known is the set of layouts that still fit. Cells that are safe in all of them are opened at once and split the set
//! by the numbers they show; so the set alone says where the game stands, whatever the order of moves, and is looked up
//! by itself. Where no cell is safe in all, the value is the best over the cells of the layouts won in all the parts that the
//! cell's numbers make of those where it is safe. Cells are tried from the safest on, until even winning every layout in which
//! the next one is safe would be no gain.
//!
//! Where the layouts of a set are all ways to lay one group of cells, together with all ways to lay the rest, and no number tells of both,
//! each is played by itself: the share of layouts that is won is the product of the shares. So a pair of cells with one mine that nothing
//! will ever tell apart costs half, and no search.
//!
//! | file | what |
//! |---|---|
//! | `listing` | the layouts of a position |
//! | `shape` | which cells tell of which; independent groups |
//! | `search` | what is remembered of a set, and by what name |
//! | `lists`, `counts` | sets of any size |
//! | `table` | sets of up to 64 layouts, each a word |

mod counts;
mod listing;
mod lists;
mod search;
mod shape;
mod table;

use listing::Listing;
use lists::Lists;
use search::{Ended, Memo, Search};
use shape::Shape;

use super::budget::Budget;
use super::deduction::SingleNumbers;
use super::frontier::Frontier;
use super::{Contradiction, CountError};
use crate::Cell;

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

/// What perfect play makes of a position in which no cell is certain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndgameValue {
    /// The cell to open: of the best that may show several numbers, if there is any, the safest, then the first in the solver's order
    /// (component by component, those off the boundary last).
    pub cell: Cell,
    /// Layouts that are won from here.
    pub won: u32,
    /// Layouts that fit.
    pub layouts: u32,
}

/// Searches endgames of at most 64 unknown cells; keeps its memory from one to the next.
#[derive(Clone, Debug, Default)]
pub struct Endgame {
    listing: Listing,
    shape: Shape,
    lists: Lists,
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
        match self.search(deduction, frontier, limits, budget) {
            Ok(value) => value.map(Some).ok_or_else(|| Contradiction.into()),
            Err(Ended::TooLarge) => Ok(None),
            Err(Ended::Exhausted(reason)) => Err(reason.into()),
        }
    }

    fn search(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameValue>, Ended> {
        let layouts = self.lists.begin();
        self.listing.list(deduction, frontier, limits.layouts as usize, layouts)?;
        budget.spend(layouts.len() as u64 / 16)?;
        let count = layouts.len() as u32;
        if layouts.len() < 2 {
            // None fits, or every cell is certain.
            return Ok(None);
        }
        self.listing.shape(deduction, &mut self.shape);
        self.memo.clear();
        let most_work = u64::from(limits.nodes) * WORK_A_NODE;
        let mut search = Search { shape: &mut self.shape, memo: &mut self.memo, budget, work: 0, most_work };
        let (cell, won) = self.lists.best_of_all(&mut search)?;
        Ok(Some(EndgameValue { cell: self.listing.cells[cell], won, layouts: count }))
    }
}
