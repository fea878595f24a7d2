//! Forward checking for the stochastic part: finds the policies that are feasible for all outcomes
//! of chance (Koriche et al. (MAC-UCB), section 4.2, after Balafoutis and Stergiou, "Algorithms for
//! stochastic CSPs", CP 2006). Like the algorithm of Koriche et al., this one finds all policies,
//! whereas that of Balafoutis and Stergiou returns one satisfaction.

use std::ops::ControlFlow;

use super::{
    network::ConstraintNetwork,
    parts::Partition,
    propagation::Propagation,
    search::{Allowance, Stop, Visitor, exists},
};

/// Decides whether partial policies can still be feasible and whether complete ones are.
pub(super) struct Feasibility<'a> {
    pub network: &'a ConstraintNetwork,
    pub parts: &'a Partition,
}

impl Feasibility<'_> {
    /// Returns whether the subtree below this state may contain a feasible policy. The subtree is
    /// pruned if a possible value of chance is excluded.
    fn admits(&self, state: &Propagation) -> bool {
        self.parts.chance.iter().all(|&y| {
            let indicators = self.network.indicators(y);
            !indicators.iter().all(|&b| state.is_fixed(b))
                || self.events(y, state).all(|value| state.contains(y, value))
        })
    }

    /// Returns the possible values of `y`, whose indicators are fixed.
    fn events(&self, y: u32, state: &Propagation) -> impl Iterator<Item = u32> {
        let indicators = self.network.indicators(y);
        (0..self.network.size(y) as u32).filter(move |&value| {
            let indicator = indicators.get(value as usize);
            indicator.is_none_or(|&b| state.domains.value(b) == 1)
        })
    }

    /// Returns whether the policy of the fixed decision variables is feasible: whether an
    /// assignment of the outcome variables exists for all possible values of the chance variables
    /// from index `index` on.
    fn holds(
        &self,
        state: &mut Propagation,
        index: usize,
        left: &mut Allowance,
    ) -> ControlFlow<Stop, bool> {
        let Some(&y) = self.parts.chance.get(index) else {
            return exists(state, &self.parts.late_outcomes, left);
        };
        let events: Vec<u32> = self.events(y, state).collect();
        for &value in &events {
            state.push();
            let flow = if state.assign(y, value) && state.propagate() {
                self.holds(state, index + 1, left)
            } else {
                ControlFlow::Continue(false)
            };
            state.pop();
            if !flow? {
                return ControlFlow::Continue(false);
            }
        }
        ControlFlow::Continue(!events.is_empty())
    }
}

/// Collects the tuples of the feasibility constraint: the values of `scope` in each feasible
/// policy.
pub(super) struct FeasiblePolicies<'a> {
    pub feasibility: Feasibility<'a>,
    pub scope: &'a [u32],
    pub tuples: Vec<u32>,
    pub count: usize,
}

impl Visitor for FeasiblePolicies<'_> {
    fn admits(&mut self, state: &Propagation) -> bool {
        self.feasibility.admits(state)
    }

    fn leaf(&mut self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop> {
        if self.feasibility.holds(state, 0, left)? {
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
        if self.0.holds(state, 0, left)? {
            ControlFlow::Break(Stop::Enough)
        } else {
            ControlFlow::Continue(())
        }
    }
}
