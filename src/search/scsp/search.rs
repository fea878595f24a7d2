//! Depth-first search that propagates after every decision and calls a visitor at its leaves.
//! Depending on the level of consistency, the search is MAC (maintaining arc consistency) or
//! forward checking (Sabin and Freuder, "Contradicting conventional wisdom in constraint
//! satisfaction").

use std::ops::ControlFlow;

use super::propagation::Propagation;

/// Why a search ended early.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Stop {
    /// The visitor asked to stop.
    Enough,
    /// The limit of branchings or of time was reached.
    Limit,
}

/// The remaining number of branchings of a search.
pub(super) struct Allowance(pub(super) u64);

impl Allowance {
    /// Deducts one branching; returns false if none is left.
    fn take(&mut self) -> bool {
        let may = self.0 > 0;
        self.0 -= u64::from(may);
        may
    }
}

/// A visitor of the leaves of a search, which may prune the search.
pub(super) trait Visitor {
    /// Returns whether to continue from the state after a propagation.
    fn admits(&mut self, _state: &Propagation) -> bool {
        true
    }

    /// Visits a leaf, in which every candidate is fixed and everything is propagated. The visitor
    /// must leave the state unchanged.
    fn leaf(&mut self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop>;
}

/// A visitor that stops at the first solution.
pub(super) struct FirstSolution;

impl Visitor for FirstSolution {
    fn leaf(&mut self, _: &mut Propagation, _: &mut Allowance) -> ControlFlow<Stop> {
        ControlFlow::Break(Stop::Enough)
    }
}

/// Branches over the candidates until all are fixed, and visits every leaf that propagation leaves.
/// The state must have been propagated before; it is unchanged afterwards. Each branching is
/// deducted from `left`.
///
/// A node is split into `x = v` and `x != v`, where `v` is the smallest value of the picked
/// variable.
pub(super) fn search<V: Visitor>(
    state: &mut Propagation,
    candidates: &[u32],
    left: &mut Allowance,
    visitor: &mut V,
) -> ControlFlow<Stop> {
    state.push();
    let flow = explore(state, candidates, left, visitor);
    state.pop();
    flow
}

fn explore<V: Visitor>(
    state: &mut Propagation,
    candidates: &[u32],
    left: &mut Allowance,
    visitor: &mut V,
) -> ControlFlow<Stop> {
    while let Some(x) = state.pick(candidates) {
        if state.is_late() || !left.take() {
            return ControlFlow::Break(Stop::Limit);
        }
        let value = state.least(x);
        state.push();
        let alive = state.assign(x, value) && state.propagate() && visitor.admits(state);
        let flow = if alive {
            explore(state, candidates, left, visitor)
        } else {
            ControlFlow::Continue(())
        };
        state.pop();
        flow?;
        if !(state.remove(x, value) && state.propagate() && visitor.admits(state)) {
            return ControlFlow::Continue(());
        }
    }
    visitor.leaf(state, left)
}

/// Returns whether some assignment of the candidates exists.
pub(super) fn exists(
    state: &mut Propagation,
    candidates: &[u32],
    left: &mut Allowance,
) -> ControlFlow<Stop, bool> {
    finds(search(state, candidates, left, &mut FirstSolution))
}

/// Returns whether a search whose visitor stops at the first solution found one.
pub(super) fn finds(flow: ControlFlow<Stop>) -> ControlFlow<Stop, bool> {
    match flow {
        ControlFlow::Continue(()) => ControlFlow::Continue(false),
        ControlFlow::Break(Stop::Enough) => ControlFlow::Continue(true),
        ControlFlow::Break(Stop::Limit) => ControlFlow::Break(Stop::Limit),
    }
}
