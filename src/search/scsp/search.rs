//! Depth-first search that propagates after every decision and calls a visitor at its leaves (MAC, or forward checking,
//! by the consistency that is kept; Sabin and Freuder, "Contradicting conventional wisdom in constraint satisfaction").

use std::ops::ControlFlow;
use std::time::Duration;

use super::propagation::Propagation;
use crate::clock::ThreadTime;

/// Why a search ended before it was through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// The visitor has had enough.
    Enough,
    /// What it may spend is spent.
    Limit,
}

/// What a search may still spend.
pub(super) struct Allowance {
    nodes: u64,
    /// Since when, and for how long.
    time: Option<(ThreadTime, Duration)>,
}

impl Allowance {
    /// Branchings between two readings of the clock.
    const CLOCK_EVERY: u64 = 8;

    pub(super) fn new(nodes: u64, time: Option<Duration>) -> Self {
        Self {
            nodes,
            time: time.map(|time| (ThreadTime::now(), time)),
        }
    }

    /// The branchings that are left.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Takes a branching, if there is one left.
    fn take(&mut self) -> bool {
        let reads_clock = self.nodes.is_multiple_of(Self::CLOCK_EVERY);
        let is_late = reads_clock
            && self
                .time
                .as_ref()
                .is_some_and(|(since, time)| since.elapsed() >= *time);
        let may = self.nodes > 0 && !is_late;
        self.nodes -= u64::from(may);
        may
    }
}

/// What happens on the way and at the leaves of a search.
pub(super) trait Visitor {
    /// Whether the state after a propagation is worth going on from.
    fn admits(&mut self, _state: &Propagation) -> bool {
        true
    }

    /// Called with every candidate fixed and everything propagated; leaves the state as it was.
    fn leaf(&mut self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop>;
}

/// Stops at the first solution.
pub(super) struct FirstSolution;

impl Visitor for FirstSolution {
    fn leaf(&mut self, _: &mut Propagation, _: &mut Allowance) -> ControlFlow<Stop> {
        ControlFlow::Break(Stop::Enough)
    }
}

/// Branches over the candidates until all are fixed, in every way that propagation leaves. The state must have been
/// propagated; it is as before afterwards. Each branching is taken of what is `left`.
///
/// A node is split into `x = v` and `x != v` with `v` the least value of the variable picked.
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
        if !left.take() {
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

/// Whether some assignment of the candidates is left.
pub(super) fn exists(
    state: &mut Propagation,
    candidates: &[u32],
    left: &mut Allowance,
) -> ControlFlow<Stop, bool> {
    match search(state, candidates, left, &mut FirstSolution) {
        ControlFlow::Continue(()) => ControlFlow::Continue(false),
        ControlFlow::Break(Stop::Enough) => ControlFlow::Continue(true),
        ControlFlow::Break(Stop::Limit) => ControlFlow::Break(Stop::Limit),
    }
}
