//! A position and what has been worked out about it, each thing at most once.

use std::sync::Arc;

use super::counter::Counter;
use super::deduction::{Mark, SingleNumbers};
use super::endgame::{Endgame, EndgameCells, EndgameLimits, EndgameValue};
use super::frontier::Frontier;
use super::layouts::Layouts;
use super::line::Line;
use super::living::LivingOutlook;
use super::outlook::Outlook;
use super::probabilities::{Probabilities, Weighting};
use super::{Budget, Contradiction, CountError};
use crate::{Board, Cell, Grid, View};

/// What a game has shown so far and what follows from it, kept up to date from move to move.
///
/// ```
/// use mineflow_minesweeper::View;
/// use mineflow_minesweeper::solver::{Analysis, Budget, Weighting};
///
/// let view = View::from_rows(&["1#", "##"], 1).unwrap();
/// let mut analysis = Analysis::new();
/// analysis.begin(view.grid(), view.mines());
/// analysis.update(&view).unwrap();
/// let p = analysis.probabilities(Weighting::Posterior, &mut Budget::unlimited()).unwrap();
/// assert!((p.mine[3] - 1.0 / 3.0).abs() < 1e-15);
/// ```
#[derive(Clone, Debug)]
pub struct Analysis {
    deduction: SingleNumbers,
    frontier: Frontier,
    counter: Counter,
    probabilities: Probabilities,
    /// What the probabilities were computed for, if nothing has changed since.
    counted: Option<Weighting>,
}

impl Analysis {
    /// An analysis of nothing; [`Analysis::begin`] says of what.
    pub fn new() -> Self {
        let board = Board::new(1, 1, 0).expect("one cell is a board");
        Self {
            deduction: SingleNumbers::new(Arc::new(Grid::new(board))),
            frontier: Frontier::default(),
            counter: Counter::default(),
            probabilities: Probabilities::default(),
            counted: None,
        }
    }

    /// Forgets everything and begins a game with `mines` mines on `grid`. Allocates only if the grid is another one.
    pub fn begin(&mut self, grid: &Arc<Grid>, mines: usize) {
        if !Arc::ptr_eq(&self.deduction.grid, grid) {
            self.deduction = SingleNumbers::new(grid.clone());
        }
        self.deduction.begin(mines);
        self.counted = None;
    }

    /// Reads what `view`, which only grows during a game, has opened since the last update, and draws the conclusions
    /// that single numbers allow: DSS (algorithm 2 of the main paper) to its fixed point.
    ///
    /// # Errors
    /// The open numbers contradict each other, now or at an earlier update.
    pub fn update(&mut self, view: &View) -> Result<(), Contradiction> {
        if self.deduction.update(view)? {
            self.counted = None;
        }
        Ok(())
    }

    /// The cells proved safe and still covered, in the order of their proofs.
    pub fn safe(&self) -> &[Cell] {
        self.deduction.safe()
    }

    /// Whether `cell` is proved to be a mine.
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.deduction.mark(cell.index()) == Mark::Mine
    }

    /// Mines not identified yet.
    pub fn mines_left(&self) -> usize {
        self.deduction.mines_left()
    }

    /// What single numbers prove.
    pub(super) fn deduction(&self) -> &SingleNumbers {
        &self.deduction
    }

    /// Builds another frontier of the position.
    pub(super) fn build_other(&mut self, frontier: &mut Frontier) -> Result<(), Contradiction> {
        frontier.build(&mut self.deduction)
    }

    /// Takes in that `cell` is safe and open, and nothing that follows from it.
    pub(super) fn open_unread(&mut self, cell: Cell) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.open_unread(cell)
    }

    /// Gets the frontier ready to count.
    pub(super) fn build_frontier(&mut self) -> Result<(), Contradiction> {
        self.counted = None;
        self.frontier.build(&mut self.deduction)
    }

    /// The frontier last built.
    pub(super) fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Takes in what was proved by other means, and what single numbers then allow to conclude. The cells are covered.
    ///
    /// # Errors
    /// It contradicts what is known.
    pub fn learn(&mut self, safe: &[Cell], mines: &[Cell]) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.learn(safe, mines)
    }

    /// The mine probability of every covered cell, counted component by component. What this proves is taken in:
    /// [`Analysis::safe`] and [`Analysis::is_mine`] know it afterwards.
    ///
    /// Costs time and memory that grow with the number of constraints that must be open at once; the budget ends it.
    ///
    /// # Errors
    /// No layout fits; the position needs more memory than the budget allows; the budget is used up.
    pub fn probabilities(
        &mut self,
        weighting: Weighting,
        budget: &mut Budget,
    ) -> Result<&Probabilities, CountError> {
        if self.counted != Some(weighting) {
            self.frontier.build(&mut self.deduction)?;
            let found = self.counter.probabilities(
                &self.deduction,
                &self.frontier,
                weighting,
                &mut self.probabilities,
                budget,
            )?;
            self.deduction.learn(found.safe, found.mines)?;
            self.counted = Some(weighting);
        }
        Ok(&self.probabilities)
    }

    /// Takes over the position of `other`, not what was counted of it.
    pub fn follow(&mut self, other: &Self) {
        self.deduction.follow(&other.deduction);
        self.counted = None;
    }

    /// Takes over the position of a line.
    pub fn follow_line(&mut self, line: &Line) {
        self.deduction.follow(line.known());
        self.counted = None;
    }

    /// Takes in that `cell`, which is covered, is safe and shows `number`, and what single numbers then allow to conclude:
    /// the position after a move that was not made.
    ///
    /// # Errors
    /// No layout shows this number there.
    pub fn suppose(&mut self, cell: Cell, number: u8) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.suppose(cell, number)
    }

    /// Opens all cells known to be safe, and those that follow from them by single numbers, until none is left; `number` says what
    /// each shows.
    ///
    /// # Errors
    /// No layout shows these numbers.
    pub fn open_certain(&mut self, number: impl FnMut(Cell) -> u8) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.open_safe(number)
    }

    /// The natural logarithm of the number of layouts of all mines that fit. Takes half as long as the probabilities.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn ln_layouts(&mut self, budget: &mut Budget) -> Result<f64, CountError> {
        if self.counted == Some(Weighting::Posterior) {
            return Ok(self.probabilities.ln_layouts());
        }
        self.frontier.build(&mut self.deduction)?;
        self.counter.ln_layouts(&self.frontier, budget)
    }

    /// What the position promises: faster than the probability of every cell, and nothing is learnt from it. Where single numbers
    /// prove a cell safe, only those count.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn outlook(&mut self, budget: &mut Budget) -> Result<Outlook, CountError> {
        self.frontier.build(&mut self.deduction)?;
        match self.deduction.safe().len() {
            0 => self.counter.outlook(&self.frontier, budget),
            certain => {
                let ln_layouts = self.counter.ln_layouts(&self.frontier, budget)?;
                Ok(Outlook {
                    ln_layouts,
                    certain,
                    safety: 1.0,
                })
            }
        }
    }

    /// The best move where few layouts are left, by [`Endgame`]; `None` beyond its limits. Nothing is certain, and the probabilities
    /// were asked for.
    ///
    /// # Errors
    /// No layout fits; the budget is used up.
    pub fn endgame(
        &mut self,
        endgame: &mut Endgame,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameValue>, CountError> {
        match self.begin_endgame(limits)? {
            true => endgame.solve(&self.deduction, &self.frontier, limits, budget),
            false => Ok(None),
        }
    }

    /// What each cell is worth there, if it may be a mine or safe.
    ///
    /// # Errors
    /// As [`Analysis::endgame`].
    pub fn endgame_cells(
        &mut self,
        endgame: &mut Endgame,
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<EndgameCells>, CountError> {
        match self.begin_endgame(limits)? {
            true => endgame.solve_cells(&self.deduction, &self.frontier, limits, budget),
            false => Ok(None),
        }
    }

    /// Whether few enough layouts are left.
    fn begin_endgame(&mut self, limits: EndgameLimits) -> Result<bool, Contradiction> {
        if !limits.may_hold(self.probabilities.ln_layouts()) {
            return Ok(false);
        }
        // What counting proved is known by now.
        self.frontier.build(&mut self.deduction)?;
        Ok(true)
    }

    /// The least and the greatest number that `cell`, if it is safe, may show by the known mines and unknown cells around it.
    pub fn numbers(&self, cell: Cell) -> std::ops::RangeInclusive<u8> {
        let (mut mines, mut unknown) = (0, 0);
        for &d in self.deduction.grid.around(cell.index()) {
            match self.deduction.mark(d as usize) {
                Mark::Mine => mines += 1,
                Mark::Unknown => unknown += 1,
                _ => {}
            }
        }
        mines..=mines + unknown
    }

    /// The probabilities computed last.
    pub fn counted(&self) -> &Probabilities {
        &self.probabilities
    }

    /// The board.
    pub fn grid(&self) -> &Grid {
        &self.deduction.grid
    }

    /// For each component of the boundary that was counted last and has undetermined cells, the least probability of a mine among
    /// them.
    pub fn component_risks(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.frontier.components.len()).filter_map(|component| {
            let cells = self
                .frontier
                .boxes_of(component)
                .flat_map(|cells| cells.cells());
            let unknown = cells.filter(|&cell| self.is_unknown(cell));
            unknown
                .map(|cell| self.probabilities.mine[cell.index()])
                .reduce(f64::min)
        })
    }

    /// How many unknown cells are next to one that is known to be safe and still covered.
    pub fn unknown_near_safe(&self) -> usize {
        let near = |cell: Cell| {
            self.grid()
                .neighbors(cell)
                .any(|d| self.deduction.mark(d.index()) == Mark::Safe)
        };
        match self.safe() {
            [] => 0,
            _ => self
                .grid()
                .board()
                .all_cells()
                .filter(|&cell| self.is_unknown(cell) && near(cell))
                .count(),
        }
    }

    /// Cells of which nothing is known.
    pub fn unknown(&self) -> usize {
        self.deduction.unknown()
    }

    /// Whether `cell` is open.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.deduction.mark(cell.index()) == Mark::Open
    }

    /// Whether nothing is known of `cell`.
    pub fn is_unknown(&self, cell: Cell) -> bool {
        self.deduction.mark(cell.index()) == Mark::Unknown
    }

    /// Whether `cell`, which is covered and not a known mine, is seen to be dead: in every layout that fits and has no mine in it, it
    /// shows the same number, so that opening it tells nothing. As layouts only become fewer, it stays dead to the end of the game.
    ///
    /// It is seen by a cover. Of its unknown neighbours those are set aside that single numbers prove to be mines if the cell is safe.
    /// The others must be a union of disjoint sets, each of them all other unknown neighbours of an open number. A cell for which this
    /// is so is dead; one that is dead for other reasons is not seen. None is missed where the unknown cells around any two open numbers
    /// are the same or disjoint, if every unknown neighbour of the cell is next to an open number.
    ///
    /// **A dead cell can wait.** Let a policy open the dead cell `c` and go on in some way. Let another skip `c`, go on in the same way
    /// as if `c` had shown its number, and open `c` last. In a layout without a mine in `c` both see the same numbers, since a number
    /// depends on the layout alone, so both make the same moves and win or lose together. In a layout with a mine in `c` the first has
    /// lost. So the other wins wherever the first does. It may win more: where a number shows that `c` is a mine, it leaves it alone.
    ///
    /// The same step moves the first living cell of a policy before all dead ones that precede it. A policy that opens dead cells alone
    /// sees no number that it didn't know, so it opens the same cells in every layout, and wins one at most; a living cell that may be
    /// safe wins one too, if the safe cells of a layout in which it is safe follow. So among the best moves is a living cell as long as
    /// one may be safe. Only where all that are left are dead, one of them must be opened.
    ///
    /// What counting proves is used where it is known: after [`Analysis::probabilities`].
    pub fn is_dead(&self, cell: Cell) -> bool {
        self.deduction.is_dead(cell)
    }

    /// What the position promises to one who opens no dead cell.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn living_outlook(&mut self, budget: &mut Budget) -> Result<LivingOutlook, CountError> {
        self.probabilities(Weighting::Posterior, budget)?;
        let mut outlook = LivingOutlook::of_certain(&self.deduction);
        for cell in self
            .grid()
            .board()
            .all_cells()
            .filter(|&cell| self.is_unknown(cell))
        {
            outlook.take(
                &self.deduction,
                self.probabilities.mine[cell.index()],
                [cell],
            );
        }
        Ok(outlook)
    }

    /// Gets `layouts` ready to draw from the true posterior of what is known now. Costs what the probabilities cost, but all
    /// counts are kept to draw from: a set limit of some megabytes ends it, whatever the budget.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn layouts(
        &mut self,
        layouts: &mut Layouts,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        layouts.prepare(&mut self.deduction, budget)
    }
}

impl Default for Analysis {
    fn default() -> Self {
        Self::new()
    }
}
