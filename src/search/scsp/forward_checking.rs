//! Forward checking for the stochastic part: finds the policies that are feasible for all outcomes
//! of chance and reach the threshold (Koriche et al. (MAC-UCB), section 4.2, after Balafoutis and
//! Stergiou, "Algorithms for stochastic CSPs", CP 2006). Like the algorithm of Koriche et al., this
//! one finds all policies, whereas that of Balafoutis and Stergiou returns one satisfaction.

use std::ops::ControlFlow;

use super::network::{ConstraintNetwork, Utility};
use super::parts::Partition;
use super::propagation::Propagation;
use super::search::{Allowance, Stop, Visitor, exists};

/// The tolerance for rounding errors in sums of probabilities.
const ROUNDING: f64 = 1e-9;

/// Decides whether partial policies can still be feasible and whether complete ones are.
pub(super) struct Feasibility<'a> {
    pub(super) network: &'a ConstraintNetwork,
    pub(super) parts: &'a Partition,
    /// The threshold for each player's expected utility; empty if there is none.
    pub(super) threshold: &'a [f64],
}

impl Feasibility<'_> {
    /// Returns whether the subtree below this state may contain a feasible policy. The subtree is
    /// pruned if a possible value of chance is excluded, or if an upper bound is below the
    /// threshold.
    fn admits(&self, state: &Propagation) -> bool {
        let mut weights = Vec::new();
        let possible = self.parts.chance.iter().all(|&y| {
            !self.known(y, state, &mut weights)
                || weights
                    .iter()
                    .zip(0..)
                    .all(|(&weight, value)| weight == 0.0 || state.contains(y, value))
        });
        possible && (self.threshold.is_empty() || self.bound_reaches(state))
    }

    /// Writes the distribution of `y` into `weights`. Returns false if the scope of `y` is not
    /// fixed, or if the distribution has no row for the values of the scope, which are then
    /// infeasible.
    fn known(&self, y: u32, state: &Propagation, weights: &mut Vec<f64>) -> bool {
        let scope = self
            .network
            .of_chance(y)
            .expect("a solver refuses chance without a distribution")
            .scope();
        scope.iter().all(|&x| state.is_fixed(x))
            && self.network.weights(y, |x| state.domains.value(x), weights)
    }

    fn bound_reaches(&self, state: &Propagation) -> bool {
        let mut bound = vec![0.0; self.threshold.len()];
        for utility in self.network.utilities() {
            self.add_bound(utility, state, &mut bound);
        }
        bound
            .iter()
            .zip(self.threshold)
            .all(|(bound, least)| bound + ROUNDING >= *least)
    }

    /// Adds an upper bound of each player's utility to `bound`. If the scope contains exactly one
    /// chance variable and its distribution is known, the bound is an expectation over this
    /// variable, with the maximum utility for each of its values. Otherwise the bound is the
    /// maximum over all tuples.
    fn add_bound(&self, utility: &Utility, state: &Propagation, bound: &mut [f64]) {
        let mut weights = Vec::new();
        let mut chance = utility
            .scope
            .iter()
            .enumerate()
            .filter(|(_, x)| self.parts.chance.contains(x));
        let alone = match (chance.next(), chance.next()) {
            (Some((place, &y)), None) if self.known(y, state, &mut weights) => Some(place),
            _ => None,
        };
        let groups = if alone.is_some() { weights.len() } else { 1 };
        let mut most = vec![0.0_f64; groups * bound.len()];
        for row in 0..utility.rows.len() {
            let tuple = utility.rows.key(row);
            if utility
                .scope
                .iter()
                .zip(tuple)
                .all(|(&x, &value)| state.contains(x, value))
            {
                let group = alone.map_or(0, |place| tuple[place] as usize);
                let best = &mut most[group * bound.len()..(group + 1) * bound.len()];
                best.iter_mut()
                    .zip(utility.rows.row(row))
                    .for_each(|(best, u)| *best = best.max(*u));
            }
        }
        for (group, best) in most.chunks_exact(bound.len()).enumerate() {
            let weight = if alone.is_some() { weights[group] } else { 1.0 };
            bound
                .iter_mut()
                .zip(best)
                .for_each(|(sum, u)| *sum += weight * u);
        }
    }

    /// Returns whether the policy of the fixed decision variables is feasible for all outcomes of
    /// chance and reaches the threshold.
    fn holds(&self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop, bool> {
        if !self.scenarios(state, 0, left)? {
            return ControlFlow::Continue(false);
        }
        if self.threshold.is_empty() {
            return ControlFlow::Continue(true);
        }
        let values: Vec<u32> = (0..state.domains.variables())
            .map(|x| state.domains.value(x))
            .collect();
        let expected = self.network.expected_utility(&values);
        ControlFlow::Continue(expected.is_some_and(|expected| {
            expected
                .iter()
                .zip(self.threshold)
                .all(|(value, least)| value + ROUNDING >= *least)
        }))
    }

    /// Returns whether an assignment of the outcome variables exists for all possible values of the
    /// chance variables from index `index` on.
    fn scenarios(
        &self,
        state: &mut Propagation,
        index: usize,
        left: &mut Allowance,
    ) -> ControlFlow<Stop, bool> {
        let Some(&y) = self.parts.chance.get(index) else {
            return exists(state, &self.parts.late_outcomes, left);
        };
        let mut weights = Vec::new();
        if !self
            .network
            .weights(y, |x| state.domains.value(x), &mut weights)
        {
            return ControlFlow::Continue(false);
        }
        for (value, _) in (0..).zip(&weights).filter(|(_, weight)| **weight > 0.0) {
            state.push();
            let alive = state.assign(y, value) && state.propagate();
            let flow = if alive {
                self.scenarios(state, index + 1, left)
            } else {
                ControlFlow::Continue(false)
            };
            state.pop();
            if !flow? {
                return ControlFlow::Continue(false);
            }
        }
        ControlFlow::Continue(true)
    }
}

/// Collects the tuples of the feasibility constraint: the values of `scope` in each feasible
/// policy.
pub(super) struct FeasiblePolicies<'a> {
    pub(super) feasibility: Feasibility<'a>,
    pub(super) scope: &'a [u32],
    pub(super) tuples: &'a mut Vec<u32>,
    pub(super) count: usize,
}

impl Visitor for FeasiblePolicies<'_> {
    fn admits(&mut self, state: &Propagation) -> bool {
        self.feasibility.admits(state)
    }

    fn leaf(&mut self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop> {
        if self.feasibility.holds(state, left)? {
            self.tuples
                .extend(self.scope.iter().map(|&x| state.domains.value(x)));
            self.count += 1;
        }
        ControlFlow::Continue(())
    }
}

/// A visitor that stops at the first feasible policy.
pub(super) struct FirstFeasible<'a>(pub(super) Feasibility<'a>);

impl Visitor for FirstFeasible<'_> {
    fn admits(&mut self, state: &Propagation) -> bool {
        self.0.admits(state)
    }

    fn leaf(&mut self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop> {
        if self.0.holds(state, left)? {
            ControlFlow::Break(Stop::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }
}
