//! Solving a stage: enumerates its feasible policies, by MAC with a feasibility constraint or by
//! forward checking alone.

use std::mem;
use std::ops::ControlFlow;
use std::time::Duration;

use super::error::NetworkError;
use super::forward_checking::{Feasibility, FeasiblePolicies, FirstFeasible};
use super::network::ConstraintNetwork;
use super::parts::{NetworkPart, Partition};
use super::propagation::{Consistency, Propagation};
use super::search::{Allowance, FirstSolution, Stop, Visitor, search};
use super::singleton::arc_consistency;
use super::variable::Variable;

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
    /// The minimum expected utility of each player. If empty, all feasible policies qualify,
    /// whatever their expected utility.
    pub threshold: &'a [f64],
    pub method: Method,
    /// The maximum number of branchings of the search.
    pub nodes: u64,
    /// The maximum CPU time of this thread. With this limit, the result depends on the machine.
    pub time: Option<Duration>,
}

/// How a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The search is complete.
    Complete,
    /// The visitor stopped the search.
    Stopped,
    /// The limit of branchings or of time was reached.
    Limit,
}

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SolverEffort {
    pub end: End,
    /// The number of branchings of the search.
    pub nodes: u64,
    /// The number of tuples of the feasibility constraint; `None` if none was built (no chance
    /// variables and no threshold, or forward checking).
    pub feasible: Option<usize>,
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
    scope: Vec<u32>,
    tuples: Vec<u32>,
}

impl NetworkSolver {
    /// Builds a solver and makes the network arc consistent.
    ///
    /// # Errors
    /// Returns an error for a chance variable without a distribution.
    pub fn new(network: ConstraintNetwork) -> Result<Self, NetworkError> {
        let mut solver = Self {
            network,
            parts: Partition::default(),
            state: Propagation::new(),
            consistent: false,
            scope: Vec::new(),
            tuples: Vec::new(),
        };
        solver.take_network()?;
        Ok(solver)
    }

    /// Rebuilds the solver in place: empties the network, calls `fill` to build another network in
    /// the same memory, and makes the new network arc consistent.
    ///
    /// # Errors
    /// Returns the errors of `fill`, or an error for a chance variable without a distribution.
    pub fn rebuild(
        &mut self,
        fill: impl FnOnce(&mut ConstraintNetwork) -> Result<(), NetworkError>,
    ) -> Result<(), NetworkError> {
        self.network.clear();
        fill(&mut self.network)?;
        self.take_network()
    }

    pub fn network(&self) -> &ConstraintNetwork {
        &self.network
    }

    /// Calls `visit` with each assignment of the wanted variables that is part of a feasible
    /// policy. The order depends only on the network and the query.
    pub fn solve(
        &mut self,
        query: &Query,
        mut visit: impl FnMut(&[u32]) -> ControlFlow<()>,
    ) -> SolverEffort {
        let mut left = Allowance::new(query.nodes, query.time);
        if !self.consistent {
            return SolverEffort {
                end: End::Complete,
                nodes: 0,
                feasible: None,
            };
        }
        self.state.forget_failures();
        self.state.consistency = Consistency::Arc;
        self.state.looks_at = [true, false];
        self.state.push();
        let given = query
            .given
            .iter()
            .all(|&(x, value)| self.state.assign(x.0, value));
        let (flow, feasible) = if given {
            match query.method {
                Method::Mac => self.solve_by_mac(query, &mut left, &mut visit),
                Method::ForwardChecking => (
                    self.solve_by_forward_checking(query, &mut left, &mut visit),
                    None,
                ),
            }
        } else {
            (ControlFlow::Continue(()), None)
        };
        self.state.drop_queue();
        self.state.pop();
        let end = match flow {
            ControlFlow::Continue(()) => End::Complete,
            ControlFlow::Break(Stop::Enough) => End::Stopped,
            ControlFlow::Break(Stop::Limit) => End::Limit,
        };
        SolverEffort {
            end,
            nodes: query.nodes - left.nodes(),
            feasible,
        }
    }

    fn take_network(&mut self) -> Result<(), NetworkError> {
        self.parts.rebuild(&self.network);
        if let Some(&y) = self
            .parts
            .chance
            .iter()
            .find(|&&y| self.network.of_chance(y).is_none())
        {
            return Err(NetworkError::DistributionMissing {
                variable: y as usize,
            });
        }
        self.state.rebuild(&self.network, &self.parts);
        self.consistent = arc_consistency(&mut self.state, [true, true]);
        Ok(())
    }

    fn solve_by_mac(
        &mut self,
        query: &Query,
        left: &mut Allowance,
        visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> (ControlFlow<Stop>, Option<usize>) {
        if !self.state.propagate() {
            return (ControlFlow::Continue(()), None);
        }
        if self.parts.chance.is_empty() && query.threshold.is_empty() {
            return (self.enumerate(query, left, visit), None);
        }
        let mark = self.state.mark();
        let policies = match self.add_feasibility_constraint(query, left) {
            ControlFlow::Continue(policies) => policies,
            ControlFlow::Break(stop) => return (ControlFlow::Break(stop), None),
        };
        // The new level separates the values that the new table removes from those that the state
        // excludes.
        self.state.push();
        let flow = if policies > 0 && self.state.propagate() {
            self.enumerate(query, left, visit)
        } else {
            ControlFlow::Continue(())
        };
        self.state.drop_queue();
        self.state.pop();
        self.state.truncate(mark);
        (flow, Some(policies))
    }

    /// Solves the stochastic part by forward checking and adds its policies as a table. Returns the
    /// number of policies.
    fn add_feasibility_constraint(
        &mut self,
        query: &Query,
        left: &mut Allowance,
    ) -> ControlFlow<Stop, usize> {
        let reads = if query.threshold.is_empty() {
            &self.parts.read_by_chance
        } else {
            &self.parts.read_by_value
        };
        self.scope.clear();
        self.scope
            .extend(reads.iter().copied().filter(|&x| !self.state.is_fixed(x)));
        self.tuples.clear();
        let feasibility = Feasibility {
            network: &self.network,
            parts: &self.parts,
            threshold: query.threshold,
        };
        let mut policies = FeasiblePolicies {
            feasibility,
            scope: &self.scope,
            tuples: &mut self.tuples,
            count: 0,
        };
        self.state.consistency = Consistency::ForwardChecking;
        self.state.looks_at = [false, true];
        self.state.push();
        self.state.enqueue_all();
        let flow = if self.state.propagate() && policies.admits(&self.state) {
            search(&mut self.state, &self.scope, left, &mut policies)
        } else {
            ControlFlow::Continue(())
        };
        let count = policies.count;
        self.state.pop();
        self.state.consistency = Consistency::Arc;
        self.state.looks_at = [true, false];
        flow?;
        if count > 0 && !self.scope.is_empty() {
            self.state.add(
                &self.network,
                &self.scope,
                &self.tuples,
                NetworkPart::Decision,
            );
        }
        ControlFlow::Continue(count)
    }

    /// Runs MAC over the wanted variables. An assignment counts if the remaining decisions can be
    /// completed.
    fn enumerate(
        &mut self,
        query: &Query,
        left: &mut Allowance,
        visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        let mut projection = Projection::new(query, &self.parts, &self.state, visit, FirstSolution);
        let candidates = mem::take(&mut projection.candidates);
        search(&mut self.state, &candidates, left, &mut projection)
    }

    fn solve_by_forward_checking(
        &mut self,
        query: &Query,
        left: &mut Allowance,
        visit: &mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    ) -> ControlFlow<Stop> {
        self.state.consistency = Consistency::ForwardChecking;
        self.state.looks_at = [true, true];
        self.state.enqueue_all();
        let feasibility = Feasibility {
            network: &self.network,
            parts: &self.parts,
            threshold: query.threshold,
        };
        let mut projection = Projection::new(
            query,
            &self.parts,
            &self.state,
            visit,
            FirstFeasible(feasibility),
        );
        let candidates = mem::take(&mut projection.candidates);
        if self.state.propagate() && projection.admits(&self.state) {
            search(&mut self.state, &candidates, left, &mut projection)
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Visits the assignments of the wanted variables for which `inner` finds a continuation.
struct Projection<'a, V> {
    wanted: &'a [Variable],
    candidates: Vec<u32>,
    rest: Vec<u32>,
    values: Vec<u32>,
    visit: &'a mut dyn FnMut(&[u32]) -> ControlFlow<()>,
    inner: V,
}

impl<'a, V: Visitor> Projection<'a, V> {
    fn new(
        query: &Query<'a>,
        parts: &Partition,
        state: &Propagation,
        visit: &'a mut dyn FnMut(&[u32]) -> ControlFlow<()>,
        inner: V,
    ) -> Self {
        let candidates: Vec<u32> = query
            .wanted
            .iter()
            .map(|x| x.0)
            .filter(|&x| !state.is_fixed(x))
            .collect();
        let open = parts.early.iter().copied().filter(|&x| !state.is_fixed(x));
        let rest = open.filter(|x| !candidates.contains(x)).collect();
        Self {
            wanted: query.wanted,
            candidates,
            rest,
            values: Vec::new(),
            visit,
            inner,
        }
    }
}

impl<V: Visitor> Visitor for Projection<'_, V> {
    fn admits(&mut self, state: &Propagation) -> bool {
        self.inner.admits(state)
    }

    fn leaf(&mut self, state: &mut Propagation, left: &mut Allowance) -> ControlFlow<Stop> {
        match search(state, &self.rest, left, &mut self.inner) {
            ControlFlow::Continue(()) => return ControlFlow::Continue(()),
            ControlFlow::Break(Stop::Limit) => return ControlFlow::Break(Stop::Limit),
            ControlFlow::Break(Stop::Enough) => {}
        }
        self.values.clear();
        self.values
            .extend(self.wanted.iter().map(|x| state.domains.value(x.0)));
        (self.visit)(&self.values).map_break(|()| Stop::Enough)
    }
}
