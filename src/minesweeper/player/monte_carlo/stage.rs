//! A guess as a one-stage stochastic constraint network (Koriche et al., "General Game Playing with Stochastic CSP", sections 3.2 and
//! 3.3), built directly from the view.
//!
//! - **Decisions**: the cell to open. Values unknown to the player are decision variables too: whether each covered cell next to an open
//!   number is a mine, the running sum of those mines, and the number of mines in the rest of the board.
//! - **Hard constraints**: every open number equals the number of mines around it; the running sums and the total number of mines are
//!   correct; the opened cell is not a mine. Cells off the boundary are interchangeable, and thus share one variable, their number of
//!   mines.
//! - **Chance**: what the opened cell shows, a number or the mine that ends the game. Its distribution is the exact posterior.
//! - **Utility**: 0 for the mine, 1 for a number. The utility is an upper bound on the reward, because the outcome of the game is not known
//!   at this stage (section 4.3 of Koriche et al.). A cell whose utility is below a threshold thus has an expected reward below it.
//!
//! A cell is feasible if it is safe in some layout: only cells that are mines in every layout are infeasible. The outcome that the opened
//! cell is a mine violates no constraint, but has utility 0; otherwise only cells proved safe would be feasible. With a threshold, the
//! cell's probability of being safe must also reach the threshold.
//!
//! Maintaining arc consistency (MAC) is a complete search, and thus finds exactly the cells with a posterior mine probability below 1. If a
//! search reaches its node limit, the posterior is used instead.

use std::ops::ControlFlow;

use num_bigint::BigUint;

use super::super::decision::NoMove;
use crate::features::Position;
use crate::solver::{self, Budget, CountError};
use crate::{Cell, View};
use mineflow_search::scsp::{
    ConstraintNetwork, End, Method, NetworkError, NetworkSolver, Query, SolverEffort, Variable,
    VariableKind,
};

/// The number of outcomes of opening a cell: the numbers 0 to 8, and [`MINE`].
pub(super) const OUTCOMES: usize = 10;
/// The index of the outcome that the cell is a mine.
pub(super) const MINE: usize = 9;

/// The one-stage network of a guess, rebuilt for successive positions.
#[derive(Clone, Debug)]
pub struct GuessStage {
    solver: NetworkSolver,
    /// The covered cells, in row-major order; `shown` holds the outcome distribution of each.
    cells: Vec<Cell>,
    shown: Vec<[f64; OUTCOMES]>,
    /// The variable of the cell to open; `None` before a position is built.
    choice: Option<Variable>,
    counter: solver::Solver,
    /// The outcome distributions of cells that neither lie on the boundary nor touch an unknown boundary cell. The keys are the numbers of
    /// known mines and of unknown cells around the cell.
    far: Vec<((usize, usize), [f64; OUTCOMES])>,
}

/// A query to a stage.
#[derive(Clone, Copy, Debug)]
pub struct StageQuestion {
    /// The minimum probability of not opening a mine.
    pub threshold: f64,
    /// The maximum number of branchings of the search.
    pub nodes: u64,
}

impl Default for StageQuestion {
    fn default() -> Self {
        Self {
            threshold: 0.0,
            nodes: 100_000,
        }
    }
}

impl Default for GuessStage {
    fn default() -> Self {
        Self {
            solver: NetworkSolver::new(ConstraintNetwork::new(1))
                .expect("a network without chance lacks no distribution"),
            cells: Vec::new(),
            shown: Vec::new(),
            choice: None,
            counter: solver::Solver::new(),
            far: Vec::new(),
        }
    }
}

impl GuessStage {
    /// Builds the stage of a position whose probabilities are the posterior.
    ///
    /// # Errors
    /// Returns an error if the position contradicts itself, is too large, or exceeds the budget.
    pub fn build(&mut self, position: &Position<'_>, budget: &mut Budget) -> Result<(), NoMove> {
        let Position { view, .. } = *position;
        self.cells.clear();
        self.cells.extend(view.covered());
        self.shown.clear();
        self.far.clear();
        for i in 0..self.cells.len() {
            let shown = self.outcomes(position, self.cells[i], budget)?;
            self.shown.push(shown);
        }
        let Self {
            solver,
            cells,
            shown,
            choice,
            ..
        } = self;
        let fill = |network: &mut ConstraintNetwork| {
            *choice = Some(fill(network, view, cells, shown)?);
            Ok(())
        };
        solver
            .rebuild(fill)
            .map_err(|error: NetworkError| NoMove::TooHard(error.to_string()))
    }

    /// Returns the probabilities that `cell` shows each number from 0 to 8 and, as the last entry, that it is a mine. Returns `None` for
    /// open cells.
    pub fn shown(&self, cell: Cell) -> Option<&[f64; OUTCOMES]> {
        self.cells
            .binary_search(&cell)
            .ok()
            .map(|place| &self.shown[place])
    }

    /// Replaces the content of `cells` by the cells that feasible policies open, in row-major order, and returns the effort of the search.
    pub fn feasible(&mut self, question: StageQuestion, cells: &mut Vec<Cell>) -> SolverEffort {
        let StageQuestion { threshold, nodes } = question;
        let wanted = self.choice.as_slice();
        let threshold: &[f64] = if threshold > 0.0 { &[threshold] } else { &[] };
        cells.clear();
        let effort = self.solver.solve(
            &Query {
                given: &[],
                wanted,
                threshold,
                method: Method::Mac,
                nodes,
                time: None,
            },
            |values| {
                cells.push(self.cells[values[0] as usize]);
                ControlFlow::Continue(())
            },
        );
        if effort.end == End::Limit {
            let least = threshold.first().copied().unwrap_or(0.0);
            let may_be_safe =
                |shown: &[f64; OUTCOMES]| shown[MINE] < 1.0 && 1.0 - shown[MINE] >= least;
            cells.clear();
            cells.extend(
                self.cells
                    .iter()
                    .zip(&self.shown)
                    .filter(|(_, shown)| may_be_safe(shown))
                    .map(|(&c, _)| c),
            );
        }
        cells.sort_unstable();
        effort
    }

    /// Computes the posterior distribution of what `cell` shows, by counting the consistent layouts for each number.
    fn outcomes(
        &mut self,
        position: &Position<'_>,
        cell: Cell,
        budget: &mut Budget,
    ) -> Result<[f64; OUTCOMES], NoMove> {
        let &Position { view, mine, .. } = position;
        let is_mine = |cell: Cell| mine[cell.index()].is_nan();
        let mut shown = [0.0; OUTCOMES];
        shown[MINE] = if is_mine(cell) {
            1.0
        } else {
            mine[cell.index()]
        };
        if shown[MINE] == 1.0 {
            return Ok(shown);
        }
        let covered = || view.grid().neighbors(cell).filter(|&d| !view.is_open(d));
        let known = covered().filter(|&d| is_mine(d)).count();
        let unknown = covered().count() - known;
        let is_by_number = |cell: Cell| view.grid().neighbors(cell).any(|d| view.is_open(d));
        let is_far = !is_by_number(cell) && !covered().any(|d| !is_mine(d) && is_by_number(d));
        if is_far
            && let Some((_, shown)) = self
                .far
                .iter()
                .find(|(around, _)| *around == (known, unknown))
        {
            return Ok(*shown);
        }
        let mut layouts = Vec::with_capacity(OUTCOMES);
        for number in known..=known + unknown {
            let mut after = view.clone();
            after
                .open(cell, number as u8)
                .expect("a covered cell has at most eight neighbours");
            match self.counter.count(&after, budget) {
                Ok(count) => layouts.push(count),
                Err(CountError::Contradiction(_)) => layouts.push(0_u32.into()),
                Err(error) => return Err(error.into()),
            }
        }
        // The counts are reduced to 64 bits, which is enough for a probability. A number that can be shown keeps a probability above 0.
        let beyond = layouts
            .iter()
            .map(|count| count.bits())
            .max()
            .unwrap_or(0)
            .saturating_sub(64);
        let share = |count: BigUint| {
            let highest: u64 = (count >> beyond)
                .try_into()
                .expect("the other bits were shifted out");
            highest as f64
        };
        let weights: Vec<f64> = layouts
            .into_iter()
            .map(|count| {
                if count == 0_u32.into() {
                    0.0
                } else {
                    f64::max(share(count), 1.0)
                }
            })
            .collect();
        let total: f64 = weights.iter().sum();
        if total == 0.0 {
            return Err(NoMove::Contradiction);
        }
        for (number, weight) in (known..).zip(weights) {
            shown[number] = (1.0 - shown[MINE]) * weight / total;
        }
        if is_far {
            self.far.push(((known, unknown), shown));
        }
        Ok(shown)
    }
}

/// Builds the network and returns the variable of the cell to open.
fn fill(
    network: &mut ConstraintNetwork,
    view: &View,
    cells: &[Cell],
    shown: &[[f64; OUTCOMES]],
) -> Result<Variable, NetworkError> {
    let mines = view.mines() as u32;
    let choices = cells.len() as u32;
    let choice = network.variable(VariableKind::Decision, choices);
    let mut mine_of = vec![None; view.board().cells()];
    let boundary: Vec<Cell> = view.boundary().collect();
    for cell in &boundary {
        mine_of[cell.index()] = Some(network.variable(VariableKind::Decision, 2));
    }
    for &open in view.opened() {
        let scope: Vec<Variable> = view
            .grid()
            .neighbors(open)
            .filter_map(|d| mine_of[d.index()])
            .collect();
        if let (Some(number), false) = (view.number(open), scope.is_empty()) {
            network.allow(&scope, &with_sum(scope.len(), number.into()))?;
        }
    }
    let mut sum = network.variable(VariableKind::Decision, 1);
    let mut most = 0;
    for mine in boundary.iter().filter_map(|cell| mine_of[cell.index()]) {
        let more = (most + 1).min(mines);
        let next = network.variable(VariableKind::Decision, more + 1);
        let steps = (0..=most).flat_map(|before| [[before, 0, before], [before, 1, before + 1]]);
        let steps: Vec<u32> = steps.filter(|step| step[2] <= more).flatten().collect();
        network.allow(&[sum, mine, next], &steps)?;
        (sum, most) = (next, more);
    }
    let elsewhere = choices - boundary.len() as u32;
    let rest = network.variable(VariableKind::Decision, elsewhere.min(mines) + 1);
    let together =
        (0..=most).filter_map(|on_boundary| Some([on_boundary, mines.checked_sub(on_boundary)?]));
    let together: Vec<u32> = together
        .filter(|pair| pair[1] <= elsewhere)
        .flatten()
        .collect();
    network.allow(&[sum, rest], &together)?;
    let is_elsewhere = |choice: u32| mine_of[cells[choice as usize].index()].is_none();
    for (place, cell) in (0..).zip(cells) {
        if let Some(mine) = mine_of[cell.index()] {
            let safe = (0..choices).flat_map(|choice| [[choice, 0], [choice, 1]]);
            let safe: Vec<u32> = safe.filter(|&pair| pair != [place, 1]).flatten().collect();
            network.allow(&[choice, mine], &safe)?;
        }
    }
    let left = (0..choices)
        .flat_map(|choice| (0..=elsewhere.min(mines)).map(move |mines| [choice, mines]));
    let left: Vec<u32> = left
        .filter(|pair| !is_elsewhere(pair[0]) || pair[1] < elsewhere)
        .flatten()
        .collect();
    network.allow(&[choice, rest], &left)?;
    let outcome = network.variable(VariableKind::Chance, OUTCOMES as u32);
    let keys: Vec<[u32; 1]> = (0..choices).map(|choice| [choice]).collect();
    let rows: Vec<(&[u32], &[f64])> = keys
        .iter()
        .zip(shown)
        .map(|(key, row)| (&key[..], &row[..]))
        .collect();
    network.distribution(outcome, &[choice], &rows)?;
    let numbers: Vec<[u32; 1]> = (0..MINE as u32).map(|number| [number]).collect();
    let worth: Vec<(&[u32], &[f64])> = numbers
        .iter()
        .map(|number| (&number[..], &[1.0][..]))
        .collect();
    network.utility(&[outcome], &worth)?;
    Ok(choice)
}

/// Returns all tuples of `len` zeros and ones with this sum, one after another.
fn with_sum(len: usize, sum: u32) -> Vec<u32> {
    let tuples = (0_u32..1 << len).filter(|bits| bits.count_ones() == sum);
    tuples
        .flat_map(|bits| (0..len).map(move |place| bits >> place & 1))
        .collect()
}
