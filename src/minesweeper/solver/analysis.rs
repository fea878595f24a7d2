//! A position and what follows from it. The probabilities are kept until the position changes.

use std::sync::Arc;

use super::{
    Budget, Contradiction, CountError,
    counter::Counter,
    deduction::{Mark, SingleNumbers},
    endgame::{Endgame, EndgameCells, EndgameLimits, EndgameValue},
    frontier::Frontier,
    layouts::Layouts,
    line::Line,
    living::LivingOutlook,
    outlook::Outlook,
    probabilities::{Probabilities, Weighting},
};
use crate::{Cell, Grid, View};

/// What a game has shown so far and what follows from it, updated incrementally from move to move.
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
#[derive(Clone, Debug, Default)]
pub struct Analysis {
    deduction: SingleNumbers,
    frontier: Frontier,
    counter: Counter,
    probabilities: Probabilities,
    /// The weighting of `probabilities`; `None` if the position has changed since they were
    /// computed.
    counted: Option<Weighting>,
}

impl Analysis {
    /// Creates an empty analysis; [`Analysis::begin`] sets the board.
    pub fn new() -> Self {
        Self::default()
    }

    /// Resets the analysis to a new game with `mines` mines on `grid`. Allocates only if the grid
    /// differs from the last one.
    pub fn begin(&mut self, grid: &Arc<Grid>, mines: usize) {
        if !Arc::ptr_eq(&self.deduction.grid, grid) {
            self.deduction = SingleNumbers::new(grid.clone());
        }
        self.deduction.begin(mines);
        self.counted = None;
    }

    /// Starts a game and reads its position, like [`Analysis::begin`] and [`Analysis::update`].
    ///
    /// # Errors
    /// Returns an error if the open numbers contradict each other.
    pub fn read(&mut self, view: &View) -> Result<(), Contradiction> {
        self.begin(view.grid(), view.mines());
        self.update(view)
    }

    /// Reads what `view` has opened since the last update and draws the conclusions that single
    /// numbers allow: DSS (Sinha et al. 2021, algorithm 2) to its fixed point. During a game,
    /// `view` may only gain open cells.
    ///
    /// # Errors
    /// Returns an error if the open numbers contradict each other, now or at an earlier update.
    pub fn update(&mut self, view: &View) -> Result<(), Contradiction> {
        if self.deduction.update(view)? {
            self.counted = None;
        }
        Ok(())
    }

    /// Returns the cells that are proved safe and still covered, in the order of their proofs.
    pub fn safe(&self) -> &[Cell] {
        &self.deduction.safe
    }

    /// Returns whether `cell` is proved to be a mine.
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.deduction.mark(cell.index()) == Mark::Mine
    }

    /// Returns the number of mines that are not identified yet.
    pub fn mines_left(&self) -> usize {
        self.deduction.mines_left
    }

    /// Returns the state of single-number deduction.
    pub(super) fn deduction(&self) -> &SingleNumbers {
        &self.deduction
    }

    /// Builds the frontier of the position in `frontier` instead of in this analysis.
    pub(super) fn build_other(&mut self, frontier: &mut Frontier) -> Result<(), Contradiction> {
        frontier.build(&mut self.deduction)
    }

    /// Records that `cell` is safe and open, without drawing conclusions.
    pub(super) fn open_unread(&mut self, cell: Cell) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.open_unread(cell)
    }

    /// Rebuilds the frontier of the position. Counting requires an up-to-date frontier.
    pub(super) fn build_frontier(&mut self) -> Result<(), Contradiction> {
        self.counted = None;
        self.frontier.build(&mut self.deduction)
    }

    /// Returns the frontier that was built last.
    pub(super) fn frontier(&self) -> &Frontier {
        &self.frontier
    }

    /// Records the covered cells that were proved `safe` or `mines` by other means, and draws the
    /// conclusions that single numbers then allow.
    ///
    /// # Errors
    /// Returns an error if the proofs contradict what is known.
    pub fn learn(&mut self, safe: &[Cell], mines: &[Cell]) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.learn(safe, mines)
    }

    /// Computes the mine probability of every covered cell, counting component by component. Cells
    /// that this proves are recorded: [`Analysis::safe`] and [`Analysis::is_mine`] include them
    /// afterwards.
    ///
    /// Time and memory grow with the number of constraints that must be open at once; the budget
    /// limits both.
    ///
    /// # Errors
    /// Returns an error if no layout is consistent with the position, if the position needs more
    /// memory than the budget allows, or if the budget is used up.
    pub fn probabilities(
        &mut self,
        weighting: Weighting,
        budget: &mut Budget,
    ) -> Result<&Probabilities, CountError> {
        if self.counted != Some(weighting) {
            self.frontier.build(&mut self.deduction)?;
            self.counter.probabilities(
                (&self.deduction, &self.frontier),
                weighting,
                &mut self.probabilities,
                budget,
            )?;
            let found = &self.probabilities;
            self.deduction.learn(&found.safe, &found.mines)?;
            self.counted = Some(weighting);
        }
        Ok(&self.probabilities)
    }

    /// Copies the position of `other`, but none of its counting results.
    pub fn follow(&mut self, other: &Self) {
        self.deduction.follow(&other.deduction);
        self.counted = None;
    }

    /// Copies the position of a line.
    pub fn follow_line(&mut self, line: &Line) {
        self.deduction.follow(line.known());
        self.counted = None;
    }

    /// Assumes that the covered `cell` is safe and shows `number`, and draws the conclusions that
    /// single numbers then allow. The result is the position after a hypothetical move.
    ///
    /// # Errors
    /// Returns an error if no layout shows this number there.
    pub fn suppose(&mut self, cell: Cell, number: u8) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.suppose(cell, number)
    }

    /// Opens all cells that are known to be safe and those that single numbers then prove safe,
    /// until none is left. `number` returns the number that a cell shows.
    ///
    /// # Errors
    /// Returns an error if no layout shows these numbers.
    pub fn open_certain(&mut self, number: impl FnMut(Cell) -> u8) -> Result<(), Contradiction> {
        self.counted = None;
        self.deduction.open_safe(number)
    }

    /// Returns the natural logarithm of the number of consistent layouts with exactly the board's
    /// mines. This is faster than [`Analysis::probabilities`], which also needs a backward pass
    /// over the counts.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn ln_layouts(&mut self, budget: &mut Budget) -> Result<f64, CountError> {
        if self.counted == Some(Weighting::Posterior) {
            return Ok(self.probabilities.ln_layouts());
        }
        self.frontier.build(&mut self.deduction)?;
        self.counter.ln_layouts(&self.frontier, budget)
    }

    /// Computes the [`Outlook`] of the position: the number of layouts, the number of cells proved
    /// safe, and the best safety. This is faster than computing every cell's probability, and it
    /// records no proofs. If a cell is already known to be safe, `certain` counts only the cells
    /// that are already known to be safe.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn outlook(&mut self, budget: &mut Budget) -> Result<Outlook, CountError> {
        self.frontier.build(&mut self.deduction)?;
        match self.deduction.safe.len() {
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

    /// Finds the optimal move by [`Endgame`] when few layouts are left. Returns `None` beyond the
    /// limits. The caller must have computed the probabilities, and no cell may be proved safe.
    ///
    /// # Errors
    /// Returns an error if no layout is consistent with the position, or if the budget is used up.
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

    /// Finds, for each cell that may be a mine or safe, the number of layouts that optimal play
    /// wins after opening it. Returns `None` beyond the limits. The requirements are those of
    /// [`Analysis::endgame`].
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::endgame`].
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

    /// Returns the number of layouts and the number of those that optimal play wins after opening
    /// `cells`, or `None` beyond the limits. Cells may be proved safe, but the caller must have
    /// computed the probabilities.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::endgame`].
    pub fn endgame_after(
        &mut self,
        endgame: &mut Endgame,
        cells: &[Cell],
        limits: EndgameLimits,
        budget: &mut Budget,
    ) -> Result<Option<(u32, u32)>, CountError> {
        match self.begin_endgame(limits)? {
            true => endgame.solve_after(&self.deduction, &self.frontier, cells, limits, budget),
            false => Ok(None),
        }
    }

    /// Returns whether the number of layouts may be within the limits. If so, it rebuilds the
    /// frontier.
    fn begin_endgame(&mut self, limits: EndgameLimits) -> Result<bool, Contradiction> {
        if !limits.may_hold(self.probabilities.ln_layouts()) {
            return Ok(false);
        }
        // The deduction already includes everything that counting proved.
        self.frontier.build(&mut self.deduction)?;
        Ok(true)
    }

    /// Returns the range of numbers that `cell` may show if it is safe, given the known mines and
    /// the unknown cells around it.
    pub fn numbers(&self, cell: Cell) -> std::ops::RangeInclusive<u8> {
        let mut mines = 0;
        let mut unknown = 0;
        for &d in self.deduction.grid.around(cell.index()) {
            match self.deduction.mark(d as usize) {
                Mark::Mine => mines += 1,
                Mark::Unknown => unknown += 1,
                _ => {}
            }
        }
        mines..=mines + unknown
    }

    /// Returns the probabilities that were computed last.
    pub fn counted(&self) -> &Probabilities {
        &self.probabilities
    }

    /// Returns the mine probability of each unknown cell, and NaN for other cells, row-major. The
    /// probabilities must have been computed.
    pub fn guesses(&self) -> Vec<f64> {
        let cells = self.grid().board().all_cells();
        let mine = cells.zip(&self.probabilities.mine);
        mine.map(|(cell, &mine)| {
            if self.is_unknown(cell) {
                mine
            } else {
                f64::NAN
            }
        })
        .collect()
    }

    /// Returns the board.
    pub fn grid(&self) -> &Grid {
        &self.deduction.grid
    }

    /// Returns, for each component counted last that has undetermined cells, the lowest mine
    /// probability among these cells.
    pub fn component_risks(&self) -> impl Iterator<Item = f64> + '_ {
        (0..self.frontier.components.len()).filter_map(|component| {
            let cells = self
                .frontier
                .boxes_of(component)
                .flat_map(|cells| cells.cells());
            cells
                .filter(|&cell| self.is_unknown(cell))
                .map(|cell| self.probabilities.mine[cell.index()])
                .reduce(f64::min)
        })
    }

    /// Returns the number of unknown cells next to a covered cell that is known to be safe.
    pub fn unknown_near_safe(&self) -> usize {
        let near = |cell: Cell| {
            self.grid()
                .neighbors(cell)
                .any(|d| self.deduction.mark(d.index()) == Mark::Safe)
        };
        match self.safe() {
            [] => 0,
            _ => self.unknown_cells().filter(|&cell| near(cell)).count(),
        }
    }

    /// Returns the covered cells that are proved neither safe nor a mine, in row-major order.
    pub fn unknown_cells(&self) -> impl Iterator<Item = Cell> {
        self.deduction.marked(Mark::Unknown)
    }

    /// Returns the number of covered cells that are proved neither safe nor a mine.
    pub fn unknown(&self) -> usize {
        self.deduction.unknown
    }

    /// Returns whether `cell` is open.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.deduction.mark(cell.index()) == Mark::Open
    }

    /// Returns whether `cell` is covered and proved neither safe nor a mine.
    pub fn is_unknown(&self, cell: Cell) -> bool {
        self.deduction.mark(cell.index()) == Mark::Unknown
    }

    /// Returns whether the covered `cell`, which is not a known mine, is recognised as dead. A cell
    /// is dead if it shows the same number in every consistent layout in which it is safe, so that
    /// opening it gives no information. During a game, layouts are only ever ruled out. A dead cell
    /// thus stays dead to the end of the game.
    ///
    /// The test looks for a cover. It sets aside those unknown neighbours that single numbers prove
    /// to be mines if the cell is safe. The remaining ones must be a union of disjoint sets, each
    /// of which consists of all other unknown neighbours of an open number. Every cell that passes
    /// is dead; a cell that is dead for other reasons is not recognised. The test finds all dead
    /// cells where the unknown cells around any two open numbers are the same or disjoint, if every
    /// unknown neighbour of the cell is next to an open number.
    ///
    /// **A dead cell can wait.** Let policy A open the dead cell `c` and then continue in some way.
    /// Let policy B skip `c`, continue as if `c` had shown its number, and open `c` last. In a
    /// layout without a mine in `c` both see the same numbers, since a number depends on the layout
    /// alone; thus both make the same moves and win or lose together. In a layout with a mine in
    /// `c`, A has lost. Thus B wins wherever A does. B may win more: where a number shows that `c`
    /// is a mine, B leaves it alone.
    ///
    /// The same exchange moves the first living cell of a policy ahead of all dead cells that
    /// precede it. A policy that opens only dead cells sees no number that it did not know. It
    /// therefore opens the same cells in every layout and wins at most one layout. A policy that
    /// starts with a living cell that may be safe also wins one layout, if it then opens the safe
    /// cells of a layout in which that cell is safe. Thus, as long as a living cell may be safe,
    /// some optimal move is a living cell. Only where all remaining cells are dead must one of them
    /// be opened.
    ///
    /// Proofs by counting are used if they are known, that is, after [`Analysis::probabilities`].
    pub fn is_dead(&self, cell: Cell) -> bool {
        self.deduction.is_dead(cell)
    }

    /// Computes the [`LivingOutlook`] of the position: the number of living cells proved safe and
    /// the lowest mine probabilities, for a player who opens no dead cell.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn living_outlook(&mut self, budget: &mut Budget) -> Result<LivingOutlook, CountError> {
        self.probabilities(Weighting::Posterior, budget)?;
        let mut outlook = LivingOutlook::of_certain(&self.deduction);
        for cell in self.deduction.marked(Mark::Unknown) {
            let mine = self.probabilities.mine[cell.index()];
            outlook.take(&self.deduction, mine, [cell]);
        }
        Ok(outlook)
    }

    /// Prepares `layouts` for drawing from the posterior given what is known now. It counts the
    /// layouts of every component and keeps all counts to draw from. Their memory has a fixed
    /// limit, whatever the budget.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`], and [`CountError::TooHard`] if the counts
    /// exceed the fixed limit.
    pub fn layouts(
        &mut self,
        layouts: &mut Layouts,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        layouts.prepare(&mut self.deduction, budget)
    }
}
