//! A line of play: a position followed from move to move. Counted components are cached and used
//! again by all lines that meet them.
//!
//! Lines that start from the same position have most components in common: components that a move
//! does not touch stay the same, and the parts into which a move splits a touched one often recur.
//! A component's counts by number of mines, and the number of mines in each of its boxes, depend
//! only on its cells and numbers and are therefore cached. The counting results of whole positions
//! are cached too, as lines from one position often meet again.

use std::{collections::HashMap, ops::Range, sync::Arc};

use rustc_hash::FxBuildHasher;

use super::{
    Analysis, CountError, TIE,
    budget::Budget,
    combination::{F64_BOUNDARY, JointCount},
    component_cache::{ComponentCache, Key},
    counting::BoxSums,
    deduction::{Mark, SingleNumbers},
    endgame::{Endgame, EndgameLimits, EndgameValue},
    frontier::Frontier,
    layouts::Layouts,
    living::CountedCells,
    outlook::{Outlook, TakeSums},
    probabilities::Weighting,
};
use crate::Cell;
use mineflow_rng::mix;

/// [`Line::begin`] clears the cache of positions if it holds more than this many.
const MAX_POSITIONS: usize = 1 << 18;

/// A position on a line of play.
///
/// ```
/// use mineflow_minesweeper::{Cell, View};
/// use mineflow_minesweeper::solver::{Analysis, Budget, Line};
///
/// let view = View::from_rows(&["1##", "###"], 1).unwrap();
/// let mut start = Analysis::new();
/// start.begin(view.grid(), view.mines());
/// start.update(&view).unwrap();
/// let mut line = Line::default();
/// line.begin(&start);
/// // The cell below the 1 shows a 1 too: the last column is safe.
/// line.open(Cell(3), 1).unwrap();
/// line.count(&mut Budget::unlimited()).unwrap();
/// assert_eq!(line.outlook().certain, 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Line {
    known: SingleNumbers,
    cache: ComponentCache,
    /// The components of the position that was counted last, in the order of their first numbers.
    parts: Vec<LineComponent>,
    /// The counting results of the last position, and of all positions met since [`Line::begin`]
    /// last got a new position.
    found: Found,
    met: HashMap<u64, Found, FxBuildHasher>,
    /// The cells that counting proved in those positions.
    proved: Vec<Cell>,
    began: u64,
    /// Scratch memory for counting; the following fields are scratch memory too.
    joint: JointCount<f64>,
    cells: CountedCells,
    flood: Flood,
    sums: Vec<BoxSums<f64>>,
    frontier: Frontier,
}

/// The counting results of a position.
#[derive(Clone, Debug, Default)]
struct Found {
    ln_layouts: f64,
    /// The range of its proved safe cells in `proved`.
    safe: Range<usize>,
    mines: Range<usize>,
    safest: Option<(Cell, f64)>,
}

/// A component of a position.
#[derive(Clone, Copy, Debug)]
struct LineComponent {
    /// The component's first open number.
    first: u16,
    /// The component's index in the cache.
    at: u32,
}

impl Line {
    /// Begins a line at `position`. Returns whether the cached results were cleared: the position
    /// differs from that of the last line, or the cache was full.
    pub fn begin(&mut self, position: &Analysis) -> bool {
        let is_other_board = !Arc::ptr_eq(&self.known.grid, &position.deduction().grid);
        if is_other_board {
            self.cache.forget();
        }
        self.known.follow(position.deduction());
        let forgets =
            is_other_board || self.position() != self.began || self.met.len() > MAX_POSITIONS;
        if forgets {
            self.met.clear();
            self.proved.clear();
            self.began = self.position();
        }
        forgets
    }

    /// Returns a hash of the position. Two positions of one board collide with a probability of
    /// 2^-64.
    pub(crate) fn position(&self) -> u64 {
        self.known.position
    }

    /// Opens the covered safe `cell`, which shows `number`, and draws the conclusions that single
    /// numbers then allow.
    ///
    /// # Errors
    /// Returns an error if no layout shows this number there.
    pub fn open(&mut self, cell: Cell, number: u8) -> Result<(), CountError> {
        Ok(self.known.suppose(cell, number)?)
    }

    /// Opens all cells known to be safe and those that then follow, like
    /// [`Analysis::open_certain`].
    ///
    /// # Errors
    /// Returns an error if no layout shows these numbers.
    pub fn open_certain(&mut self, number: impl FnMut(Cell) -> u8) -> Result<(), CountError> {
        Ok(self.known.open_safe(number)?)
    }

    /// Counts the consistent layouts. [`Line::learn`] records what this proves.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn count(&mut self, budget: &mut Budget) -> Result<(), CountError> {
        if let Some(found) = self.met.get(&self.position()) {
            self.found = found.clone();
            return Ok(());
        }
        let ln_layouts = match self.count_parts(budget) {
            Err(CountError::TooHard { .. }) => self.count_whole(budget),
            counted => counted,
        }?;
        self.found = self.find(ln_layouts);
        self.met.insert(self.position(), self.found.clone());
        Ok(())
    }

    /// Counts component by component, in floats. Returns the natural logarithm of the number of
    /// layouts.
    fn count_parts(&mut self, budget: &mut Budget) -> Result<f64, CountError> {
        let boundary = self.find_parts(budget)?;
        let rest = self.known.unknown - boundary;
        let by_mines = self.parts.iter().map(|part| self.cache.by_mines(part.at));
        let mines_left = self.known.mines_left;
        let Some(total) = self.joint.total(by_mines, mines_left, rest, budget)? else {
            return Err(CountError::TooHard { cells: boundary });
        };
        self.joint.weigh_components(budget)?;
        self.cells.begin(total.layouts);
        for (i, part) in self.parts.iter().enumerate() {
            self.cache
                .take_component(part.at, self.joint.weights_of(i), &mut self.cells);
        }
        if rest > 0 {
            self.cells.take_rest(&total.in_rest, rest);
            self.cells.settle_rest(&self.known);
        }
        Ok(total.ln_layouts)
    }

    /// Counts by [`Analysis::probabilities`], without the component cache.
    fn count_whole(&mut self, budget: &mut Budget) -> Result<f64, CountError> {
        let mut whole = Analysis::new();
        whole.follow_line(self);
        let found = whole.probabilities(Weighting::Posterior, budget)?;
        self.cells.begin(1.0);
        for cell in self.known.marked(Mark::Unknown) {
            self.cells.take_cell(cell, found.mine[cell.index()]);
        }
        Ok(found.ln_layouts())
    }

    /// Finds the components of the position and counts them. Returns the number of their cells.
    fn find_parts(&mut self, budget: &mut Budget) -> Result<usize, CountError> {
        self.parts.clear();
        self.cache.make_room();
        self.flood.begin(self.known.grid.off_board());
        let mut boundary = 0;
        self.known.sift_active();
        for &first in &self.known.active {
            let Some(key) = self.flood.from(&self.known, first) else {
                continue;
            };
            boundary += self.flood.cells;
            if boundary > F64_BOUNDARY {
                return Err(CountError::TooHard { cells: boundary });
            }
            let met = &mut self.flood.met;
            let first = *met.iter().min().expect("the first number is among them");
            let at = match self.cache.find(key) {
                Some(at) => at,
                None => {
                    // Sorting gives a canonical order, independent of the path of the line.
                    met.sort_unstable();
                    self.frontier
                        .build_part(&self.known, None, met.iter().copied())?;
                    self.cache
                        .add(key, &self.frontier, &mut self.sums, budget)?
                }
            };
            self.parts.push(LineComponent { first, at });
        }
        self.parts.sort_unstable_by_key(|part| part.first);
        Ok(boundary)
    }

    /// Returns the [`Outlook`] of the position that was counted, like [`Analysis::outlook`].
    pub fn outlook(&self) -> Outlook {
        let certain = self.found.safe.len();
        let safety = match self.found.safest {
            Some((_, mine)) if certain == 0 => 1.0 - mine,
            _ => 1.0,
        };
        Outlook {
            ln_layouts: self.found.ln_layouts,
            certain,
            safety,
        }
    }

    /// Records what counting proved, and draws the conclusions that single numbers then allow.
    /// Returns whether counting proved a cell safe.
    ///
    /// # Errors
    /// Returns an error if cells were opened since the count and the proofs contradict them.
    pub fn learn(&mut self) -> Result<bool, CountError> {
        let Found { safe, mines, .. } = &self.found;
        self.known
            .learn(&self.proved[safe.clone()], &self.proved[mines.clone()])?;
        Ok(!safe.is_empty())
    }

    /// Returns the cell with the lowest mine probability by the last count among those that may be
    /// a mine or safe, and this probability. Returns `None` if there is no such cell. Ties are
    /// broken as by player 7.0, but without a preference for the boundary if the position was too
    /// large for the component cache.
    pub fn safest(&self) -> Option<(Cell, f64)> {
        self.found.safest
    }

    /// Collects the results of a count.
    fn find(&mut self, ln_layouts: f64) -> Found {
        let first = self.proved.len();
        self.proved.extend_from_slice(&self.cells.safe);
        let first_mine = self.proved.len();
        self.proved.extend_from_slice(&self.cells.mines);
        Found {
            ln_layouts,
            safe: first..first_mine,
            mines: first_mine..self.proved.len(),
            safest: self.find_safest(),
        }
    }

    fn find_safest(&self) -> Option<(Cell, f64)> {
        let least = self.cells.least()?;
        let nearly_least = |cells: &(Cell, f64)| cells.1 < least + TIE;
        let rank = |&(cell, _): &(Cell, f64)| (self.known.grid.neighbor_count(cell), cell);
        let on_boundary = self
            .cells
            .on_boundary()
            .filter(nearly_least)
            .min_by_key(rank);
        on_boundary.or_else(|| self.cells.off_boundary(&self.known).min_by_key(rank))
    }

    /// Returns the number of covered cells that are proved neither safe nor a mine.
    pub fn unknown(&self) -> usize {
        self.known.unknown
    }

    /// Finds the optimal move when few layouts are left, like [`Analysis::endgame`].
    ///
    /// # Errors
    /// Returns an error if no layout is consistent with the position, or if the budget is used up.
    pub fn endgame(
        &mut self,
        endgame: &mut Endgame,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameValue>, CountError> {
        if !limits.may_hold(self.found.ln_layouts) {
            return Ok(None);
        }
        self.frontier.build(&mut self.known)?;
        endgame.solve(&self.known, &self.frontier, limits, budget)
    }

    /// Prepares `layouts` for drawing from the posterior, like [`Analysis::layouts`].
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::layouts`].
    pub fn layouts(
        &mut self,
        layouts: &mut Layouts,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        layouts.prepare(&mut self.known, budget)
    }

    /// Returns the state of single-number deduction.
    pub(super) fn known(&self) -> &SingleNumbers {
        &self.known
    }
}

/// Finds components by flood fill.
#[derive(Clone, Debug, Default)]
struct Flood {
    /// The number of the round (see [`Flood::begin`]) in which each slot was last met.
    seen: Vec<u32>,
    round: u32,
    /// The open numbers of the component found last, and its number of cells.
    met: Vec<u16>,
    cells: usize,
}

impl Flood {
    fn begin(&mut self, slots: usize) {
        if self.seen.len() != slots || self.round == u32::MAX {
            self.seen.clear();
            self.seen.resize(slots, 0);
            self.round = 0;
        }
        self.round += 1;
    }

    /// Marks a slot as met; returns true the first time in a round.
    fn meets(&mut self, slot: u16) -> bool {
        std::mem::replace(&mut self.seen[usize::from(slot)], self.round) != self.round
    }

    /// Finds the component with the open number `first` and returns its key. Returns `None` if this
    /// component was found before.
    fn from(&mut self, known: &SingleNumbers, first: u16) -> Option<Key> {
        if !self.meets(first) {
            return None;
        }
        self.met.clear();
        self.met.push(first);
        self.cells = 0;
        let mut numbers = 0u64;
        let mut cells = 0u64;
        let mut next = 0;
        while let Some(&open) = self.met.get(next) {
            next += 1;
            numbers = numbers.wrapping_add(mix(
                u64::from(open) << 8 | u64::from(known.need(open.into()))
            ));
            for &cell in known.grid.around(open.into()) {
                if known.mark(cell.into()) != Mark::Unknown || !self.meets(cell) {
                    continue;
                }
                self.cells += 1;
                cells = cells.wrapping_add(mix(!u64::from(cell)));
                let witnesses = known.witnesses(cell.into());
                for (k, &other) in known.grid.around(cell.into()).iter().enumerate() {
                    if witnesses >> k & 1 == 1 && self.meets(other) {
                        self.met.push(other);
                    }
                }
            }
        }
        Some((numbers, cells))
    }
}
