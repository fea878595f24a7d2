//! Solving a stage: enumerates its feasible policies, by MAC with a feasibility constraint or by
//! forward checking alone.

use std::ops::ControlFlow;

use super::{
    forward_checking::{Feasibility, FeasiblePolicies, FirstFeasible},
    network::ConstraintNetwork,
    parts::{NetworkPart, Partition},
    propagation::{Consistency, Propagation},
    search::{Allowance, FirstSolution, Stop, Visitor, finds, search},
    singleton::arc_consistency,
    variable::Variable,
};
use crate::clock::Deadline;

/// The method of solving a stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Forward checking on the stochastic part, whose feasible policies become a constraint, then
    /// MAC on the decision part with this constraint (Koriche et al. (MAC-UCB), section 4.2).
    Mac,
    /// Forward checking on the whole network, as in FC-UCB.
    ForwardChecking,
}

/// A query about a stage.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The given values: the fluents of the state.
    pub given: &'a [(Variable, u32)],
    /// The variables of interest: decision variables, or outcome variables that do not depend on
    /// chance. Each assignment that can be extended to a feasible policy is visited once.
    pub wanted: &'a [Variable],
    pub method: Method,
    /// The maximum number of branchings of the search.
    pub nodes: u64,
    /// When the search ends, on a clock that propagation reads again and again. With this limit, the
    /// result depends on the machine.
    pub time: Option<Deadline>,
}

/// A network with its propagators. The solver answers queries about one state after another without
/// being rebuilt.
#[derive(Clone, Debug)]
pub struct NetworkSolver {
    network: ConstraintNetwork,
    parts: Partition,
    state: Propagation,
    /// Whether arc consistency of the network left a value in every domain.
    consistent: bool,
}

impl NetworkSolver {
    /// Builds a solver and makes the network arc consistent.
    pub fn new(network: ConstraintNetwork) -> Self {
        let parts = Partition::new(&network);
        let mut state = Propagation::new(&network, &parts);
        Self {
            consistent: arc_consistency(&mut state, [true, true]),
            network,
            parts,
            state,
        }
    }

    /// Calls `visit` with each assignment of the wanted variables that is part of a feasible
    /// policy. The order depends only on the network and the query. Returns whether the search is
    /// complete; otherwise it reached the limit of branchings or of time.
    pub fn solve(&mut self, query: &Query<'_>, mut visit: impl FnMut(&[u32])) -> bool {
        let mut left = Allowance(query.nodes);
        if !self.consistent {
            return true;
        }
        self.state.end_at(query.time);
        self.state.forget_failures();
        self.state.look_at(Consistency::Arc, [true, false]);
        self.state.push();
        let mut given = query.given.iter();
        let possible = given.all(|&(x, value)| self.state.assign(x.0, value));
        let flow = match query.method {
            _ if !possible => ControlFlow::Continue(()),
            Method::Mac => self.solve_by_mac(query, &mut left, &mut visit),
            Method::ForwardChecking => self.solve_by_forward_checking(query, &mut left, &mut visit),
        };
        self.state.drop_queue();
        self.state.pop();
        let in_time = !self.state.is_late();
        self.state.end_at(None);
        flow.is_continue() && in_time
    }

    fn solve_by_mac(
        &mut self,
        query: &Query<'_>,
        left: &mut Allowance,
        visit: &mut dyn FnMut(&[u32]),
    ) -> ControlFlow<Stop> {
        if !self.state.propagate() {
            return ControlFlow::Continue(());
        }
        if self.parts.chance.is_empty() {
            return enumerate(
                &mut self.state,
                &self.parts,
                query,
                left,
                visit,
                FirstSolution,
            );
        }
        let mark = self.state.mark();
        let policies = self.add_feasibility_constraint(left)?;
        // The new level separates the values that the new table removes from those that the state
        // excludes.
        self.state.push();
        let flow = if policies > 0 && self.state.propagate() {
            enumerate(
                &mut self.state,
                &self.parts,
                query,
                left,
                visit,
                FirstSolution,
            )
        } else {
            ControlFlow::Continue(())
        };
        self.state.drop_queue();
        self.state.pop();
        self.state.truncate(mark);
        flow
    }

    /// Solves the stochastic part by forward checking and adds its policies as a table. Returns the
    /// number of policies.
    fn add_feasibility_constraint(&mut self, left: &mut Allowance) -> ControlFlow<Stop, usize> {
        let reads = self.parts.read_by_chance.iter().copied();
        let scope: Vec<u32> = reads.filter(|&x| !self.state.is_fixed(x)).collect();
        let mut policies = FeasiblePolicies {
            feasibility: Feasibility {
                network: &self.network,
                parts: &self.parts,
            },
            scope: &scope,
            tuples: Vec::new(),
            count: 0,
        };
        self.state
            .look_at(Consistency::ForwardChecking, [false, true]);
        self.state.push();
        self.state.enqueue_all();
        let flow = if self.state.propagate() && policies.admits(&self.state) {
            search(&mut self.state, &scope, left, &mut policies)
        } else {
            ControlFlow::Continue(())
        };
        self.state.pop();
        self.state.look_at(Consistency::Arc, [true, false]);
        flow?;
        if policies.count > 0 && !scope.is_empty() {
            self.state.add(
                &self.network,
                &scope,
                &policies.tuples,
                NetworkPart::Decision,
            );
        }
        ControlFlow::Continue(policies.count)
    }

    fn solve_by_forward_checking(
        &mut self,
        query: &Query<'_>,
        left: &mut Allowance,
        visit: &mut dyn FnMut(&[u32]),
    ) -> ControlFlow<Stop> {
        self.state
            .look_at(Consistency::ForwardChecking, [true, true]);
        self.state.enqueue_all();
        if !self.state.propagate() {
            return ControlFlow::Continue(());
        }
        let feasible = FirstFeasible(Feasibility {
            network: &self.network,
            parts: &self.parts,
        });
        enumerate(&mut self.state, &self.parts, query, left, visit, feasible)
    }
}

/// Searches the assignments of the wanted variables, and visits those for which `inner` finds a
/// continuation.
fn enumerate(
    state: &mut Propagation,
    parts: &Partition,
    query: &Query<'_>,
    left: &mut Allowance,
    visit: &mut dyn FnMut(&[u32]),
    inner: impl Visitor,
) -> ControlFlow<Stop> {
    let wanted: Vec<u32> = query.wanted.iter().map(|x| x.0).collect();
    let is_open = |x: &u32| !state.is_fixed(*x);
    let candidates: Vec<u32> = wanted.iter().copied().filter(is_open).collect();
    let mut rest: Vec<u32> = parts.early.iter().copied().filter(is_open).collect();
    rest.retain(|x| !candidates.contains(x));
    let mut projection = Projection {
        wanted: &wanted,
        rest: &rest,
        visit,
        inner,
    };
    if !projection.admits(state) {
        return ControlFlow::Continue(());
    }
    search(state, &candidates, left, &mut projection)
}

/// Visits the assignments of the wanted variables for which `inner` finds a continuation.
struct Projection<'a, V> {
    wanted: &'a [u32],
    rest: &'a [u32],
    visit: &'a mut dyn FnMut(&[u32]),
    inner: V,
}

impl<V: Visitor> Visitor for Projection<'_, V> {
    fn admits(&mut self, state: &Propagation) -> bool {
        self.inner.admits(state)
    }

    fn leaf(&mut self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop> {
        if finds(search(state, self.rest, left, &mut self.inner))? {
            let values = self.wanted.iter().map(|&x| state.domains.value(x));
            (self.visit)(&values.collect::<Vec<_>>());
        }
        ControlFlow::Continue(())
    }
}
