//! Solves one position completely: probabilities, proofs and the exact number of layouts.

use num_bigint::BigUint;

use super::{
    analysis::Analysis,
    budget::Budget,
    counting::{ByMines, Counting},
    error::CountError,
    frontier::{Component, Frontier},
    number::Count,
    probabilities::Weighting,
    sweep,
};
use crate::{Cell, View};

/// Maximum number of products of 64-bit words for multiplying the exact counts of all components,
/// which take about one second.
const MAX_WORK: u64 = 1 << 28;

/// The solution of a position, given the open numbers and the number of mines.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// Number of consistent layouts with exactly the board's mines.
    pub layouts: BigUint,
    /// The mine probability of each cell, all layouts being equally likely; row-major, NaN for open
    /// cells.
    pub mine_probability: Vec<f64>,
    /// Covered cells that are a mine in no layout, row-major.
    pub safe: Vec<Cell>,
    /// Covered cells that are a mine in every layout, row-major.
    pub mines: Vec<Cell>,
}

/// Solves positions one after another, reusing its memory.
#[derive(Clone, Debug, Default)]
pub struct Solver {
    analysis: Analysis,
    /// `small` counts components with fewer than 128 cells exactly, and `large` counts larger ones
    /// exactly.
    small: Counting<u128>,
    large: Counting<BigUint>,
}

impl Solver {
    /// Creates a solver.
    pub fn new() -> Self {
        Self::default()
    }

    /// Solves the position that `view` shows. Flags are ignored.
    ///
    /// # Errors
    /// Returns an error if no layout is consistent with the position, if the position needs more
    /// memory than the budget allows, or if the budget is used up.
    pub fn solve(&mut self, view: &View, budget: &mut Budget) -> Result<Solution, CountError> {
        let cells = || view.board().all_cells();
        self.analysis.read(view)?;
        let probabilities = self.analysis.probabilities(Weighting::Posterior, budget)?;
        let mine_probability = probabilities.mine.clone();
        let covered_with = |p: f64| {
            cells()
                .filter(|c| mine_probability[c.index()] == p)
                .collect()
        };
        Ok(Solution {
            layouts: self.layouts(budget)?,
            safe: covered_with(0.0),
            mines: covered_with(1.0),
            mine_probability,
        })
    }

    /// Computes the exact number of layouts of the position that `view` shows, at less cost than
    /// [`Solver::solve`].
    ///
    /// # Errors
    /// Returns the errors of [`Solver::solve`].
    pub fn count(&mut self, view: &View, budget: &mut Budget) -> Result<BigUint, CountError> {
        self.analysis.read(view)?;
        self.analysis.build_frontier()?;
        self.layouts(budget)
    }

    /// Returns the exact number of layouts of the position that was analysed last.
    fn layouts(&mut self, budget: &mut Budget) -> Result<BigUint, CountError> {
        let frontier = self.analysis.frontier();
        let mines_left = frontier.mines_left;
        let rest = frontier.rest;
        let (fewest, together) = self.together(budget)?;
        // There are C(rest, left) ways to place the remaining mines on the rest. Each of these
        // numbers is computed from the previous one.
        let mut layouts = BigUint::default();
        let mut ways: Option<BigUint> = None;
        for (count, on_boundary) in together.iter().zip(fewest..) {
            let Some(left) = mines_left
                .checked_sub(on_boundary)
                .filter(|&left| left <= rest)
            else {
                continue;
            };
            let next = match ways {
                None => binomial(rest, left),
                Some(ways) => ways * (left + 1) / (rest - left),
            };
            layouts += count * &next;
            ways = Some(next);
        }
        Ok(layouts)
    }

    /// Returns the fewest mines that all components together may have, and the number of their
    /// joint layouts for each number of mines from there on.
    fn together(&mut self, budget: &mut Budget) -> Result<(usize, Vec<BigUint>), CountError> {
        let frontier = self.analysis.frontier();
        let too_hard = CountError::TooHard {
            cells: frontier.cells,
        };
        self.small.begin();
        self.large.begin();
        let mut groups: Vec<(usize, Vec<BigUint>)> = Vec::new();
        for &component in &frontier.components {
            groups.push(if component.cells < 128 {
                exact(&mut self.small, frontier, component, budget)?
            } else {
                exact(&mut self.large, frontier, component, budget)?
            });
        }
        let mut work = 0;
        while groups.len() > 1 {
            let mut pairs = Vec::with_capacity(groups.len().div_ceil(2));
            let mut left_over = groups.into_iter();
            while let Some((fewest, counts)) = left_over.next() {
                let Some((more_fewest, more)) = left_over.next() else {
                    pairs.push((fewest, counts));
                    break;
                };
                let words = |counts: &[BigUint]| {
                    counts.iter().map(|n| n.bits() / 64 + 1).max().unwrap_or(1)
                };
                work += counts.len() as u64 * more.len() as u64 * words(&counts) * words(&more);
                if work > MAX_WORK {
                    return Err(too_hard);
                }
                let mut both = vec![BigUint::default(); counts.len() + more.len() - 1];
                for (i, a) in counts.iter().enumerate() {
                    for (both, b) in both[i..].iter_mut().zip(&more) {
                        *both += a * b;
                    }
                }
                pairs.push((fewest + more_fewest, both));
            }
            groups = pairs;
        }
        Ok(groups.pop().unwrap_or_else(|| (0, vec![BigUint::one()])))
    }
}

/// Returns the fewest mines that a component may have, and the number of its layouts for each
/// number of mines from there on.
fn exact<N: Count + Into<BigUint>>(
    counting: &mut Counting<N>,
    frontier: &Frontier,
    component: Component,
    budget: &mut Budget,
) -> Result<(usize, Vec<BigUint>), CountError> {
    match counting.count(frontier, component, frontier.mines_left, budget) {
        Ok(()) => {
            let ByMines { fewest, counts } = counting.last();
            Ok((fewest, counts.iter().cloned().map(Into::into).collect()))
        }
        Err(CountError::TooHard { .. }) => {
            sweep::exact(frontier, component, frontier.mines_of(component), budget)
        }
        Err(reason) => Err(reason),
    }
}

/// Returns the binomial coefficient `n` over `k`.
fn binomial(n: usize, k: usize) -> BigUint {
    (1..=k.min(n - k)).fold(BigUint::one(), |ways, i| ways * (n + 1 - i) / i)
}
