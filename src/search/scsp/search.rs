//! Depth-first search that propagates after every decision and calls a visitor at its leaves (MAC, or forward checking,
//! by the consistency that is kept; Sabin and Freuder, "Contradicting conventional wisdom in constraint satisfaction").

use std::ops::ControlFlow;

use super::propagation::Propagation;

/// Why a search ended before it was through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The visitor has had enough.
    Enough,
    /// The node limit was met.
    Nodes,
}

/// What happens on the way and at the leaves of a search.
pub(super) trait Visitor {
    /// Whether the state after a propagation is worth going on from.
    fn admits(&mut self, _state: &Propagation) -> bool {
        true
    }

    /// Called with every candidate fixed and everything propagated; leaves the state as it was.
    fn leaf(&mut self, state: &mut Propagation, nodes: &mut u64) -> ControlFlow<Stop>;
}

/// Stops at the first solution.
pub(super) struct FirstSolution;

impl Visitor for FirstSolution {
    fn leaf(&mut self, _: &mut Propagation, _: &mut u64) -> ControlFlow<Stop> {
        ControlFlow::Break(Stop::Enough)
    }
}

/// Branches over the candidates until all are fixed, in every way that propagation leaves. The state must have been
/// propagated; it is as before afterwards. Each branching takes one of `nodes`.
///
/// A node is split into `x = v` and `x != v` with `v` the least value of the variable picked.
pub(super) fn search<V: Visitor>(
    state: &mut Propagation,
    candidates: &[u32],
    nodes: &mut u64,
    visitor: &mut V,
) -> ControlFlow<Stop> {
    state.push();
    let flow = explore(state, candidates, nodes, visitor);
    state.pop();
    flow
}

fn explore<V: Visitor>(
    state: &mut Propagation,
    candidates: &[u32],
    nodes: &mut u64,
    visitor: &mut V,
) -> ControlFlow<Stop> {
    while let Some(x) = state.pick(candidates) {
        if *nodes == 0 {
            return ControlFlow::Break(Stop::Nodes);
        }
        *nodes -= 1;
        let value = state.least(x);
        state.push();
        let alive = state.assign(x, value) && state.propagate() && visitor.admits(state);
        let flow = if alive { explore(state, candidates, nodes, visitor) } else { ControlFlow::Continue(()) };
        state.pop();
        flow?;
        if !(state.remove(x, value) && state.propagate() && visitor.admits(state)) {
            return ControlFlow::Continue(());
        }
    }
    visitor.leaf(state, nodes)
}

/// Whether some assignment of the candidates is left.
pub(super) fn exists(state: &mut Propagation, candidates: &[u32], nodes: &mut u64) -> ControlFlow<Stop, bool> {
    match search(state, candidates, nodes, &mut FirstSolution) {
        ControlFlow::Continue(()) => ControlFlow::Continue(false),
        ControlFlow::Break(Stop::Enough) => ControlFlow::Continue(true),
        ControlFlow::Break(Stop::Nodes) => ControlFlow::Break(Stop::Nodes),
    }
}
