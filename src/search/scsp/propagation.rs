//! The state of a search: domains and tables on one trail, a queue of tables to revise, and failure weights.

use std::collections::VecDeque;

use super::compact_table::{CompactTables, TablesMark};
use super::domains::Domains;
use super::network::ConstraintNetwork;
use super::parts::{NetworkPart, Partition};
use super::trail::Trail;

/// The level of inference after each assignment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Consistency {
    /// Arc consistency: every value of every variable has a support in every table.
    Arc,
    /// Forward checking: a table is revised only once all its variables but one are fixed.
    ForwardChecking,
}

/// The domains and tables of a network, with the data for propagation.
#[derive(Clone, Debug)]
pub(super) struct Propagation {
    pub(super) trail: Trail,
    pub(super) domains: Domains,
    tables: CompactTables,
    /// For each table, its part of the network.
    parts: Vec<NetworkPart>,
    /// For each variable, the tables whose scope contains the variable.
    incident: Vec<Vec<u32>>,
    weights: Vec<u64>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    pub(super) consistency: Consistency,
    /// For each part, indexed by `NetworkPart as usize`, whether its tables are propagated.
    pub(super) looks_at: [bool; 2],
}

impl Propagation {
    pub(super) fn new() -> Self {
        Self {
            trail: Trail::default(),
            domains: Domains::default(),
            tables: CompactTables::default(),
            parts: Vec::new(),
            incident: Vec::new(),
            weights: Vec::new(),
            queue: VecDeque::new(),
            queued: Vec::new(),
            consistency: Consistency::Arc,
            looks_at: [true, true],
        }
    }

    /// Replaces the domains and tables by those of `network`.
    pub(super) fn rebuild(&mut self, network: &ConstraintNetwork, parts: &Partition) {
        self.trail.clear();
        self.domains.rebuild(network, &mut self.trail);
        self.tables.clear();
        self.parts.clear();
        self.weights.clear();
        self.queue.clear();
        self.queued.clear();
        self.incident.iter_mut().for_each(Vec::clear);
        self.incident
            .resize(network.variables() as usize, Vec::new());
        for constraint in 0..network.constraints() {
            self.add(
                network,
                network.scope(constraint),
                network.tuples(constraint),
                parts.of(constraint),
            );
        }
    }

    /// Adds a table and puts it into the queue.
    pub(super) fn add(
        &mut self,
        network: &ConstraintNetwork,
        scope: &[u32],
        tuples: &[u32],
        part: NetworkPart,
    ) {
        let table = self.tables.len();
        self.tables
            .add(scope, tuples, |x| network.size(x), &mut self.trail);
        for &x in scope {
            self.incident[x as usize].push(table);
        }
        self.parts.push(part);
        self.weights.push(1);
        self.queued.push(true);
        self.queue.push_back(table);
    }

    pub(super) fn mark(&self) -> (TablesMark, u32, u32) {
        (self.tables.mark(), self.tables.len(), self.trail.len())
    }

    /// Removes the tables added since `mark`. The current level must be the one at which the mark was made.
    pub(super) fn truncate(&mut self, (mark, tables, cells): (TablesMark, u32, u32)) {
        for table in (tables..self.tables.len()).rev() {
            for &x in self.tables.scope(table) {
                self.incident[x as usize].pop();
            }
        }
        self.tables.truncate(mark);
        self.trail.truncate(cells);
        self.parts.truncate(tables as usize);
        self.weights.truncate(tables as usize);
        self.queued.truncate(tables as usize);
    }

    pub(super) fn forget_failures(&mut self) {
        self.weights.fill(1);
    }

    pub(super) fn size(&self, x: u32) -> u32 {
        self.domains.size(&self.trail, x)
    }

    pub(super) fn is_fixed(&self, x: u32) -> bool {
        self.domains.is_fixed(&self.trail, x)
    }

    pub(super) fn contains(&self, x: u32, value: u32) -> bool {
        self.domains.contains(&self.trail, x, value)
    }

    /// Returns the smallest value in the domain of `x`.
    pub(super) fn least(&self, x: u32) -> u32 {
        *self
            .domains
            .values(&self.trail, x)
            .iter()
            .min()
            .expect("propagation leaves no domain empty")
    }

    pub(super) fn push(&mut self) {
        self.trail.push();
    }

    pub(super) fn pop(&mut self) {
        self.trail.pop();
    }

    /// Fixes `x` to `value`; returns false if the domain does not contain `value`.
    pub(super) fn assign(&mut self, x: u32, value: u32) -> bool {
        if !self.contains(x, value) {
            return false;
        }
        if !self.is_fixed(x) {
            self.domains.assign(&mut self.trail, x, value);
            self.enqueue_tables_of(x, None);
        }
        true
    }

    /// Removes `value` from the domain of `x`. If `value` is the only value left, leaves the domain unchanged and returns false.
    pub(super) fn remove(&mut self, x: u32, value: u32) -> bool {
        if self.contains(x, value) {
            if self.is_fixed(x) {
                return false;
            }
            self.domains.remove(&mut self.trail, x, value);
            self.enqueue_tables_of(x, None);
        }
        true
    }

    /// Puts every table of the propagated parts into the queue.
    pub(super) fn enqueue_all(&mut self) {
        for table in 0..self.tables.len() {
            self.enqueue(table);
        }
    }

    /// Propagates until the fixpoint; returns false if some table has no tuple left.
    pub(super) fn propagate(&mut self) -> bool {
        while let Some(table) = self.queue.pop_front() {
            self.queued[table as usize] = false;
            if !self.is_due(table) {
                continue;
            }
            if !self
                .tables
                .revise(table, &mut self.domains, &mut self.trail)
            {
                self.weights[table as usize] += 1;
                self.drop_queue();
                return false;
            }
            let changed = std::mem::take(&mut self.tables.changed);
            for &x in &changed {
                self.enqueue_tables_of(x, Some(table));
            }
            self.tables.changed = changed;
        }
        true
    }

    /// Empties the queue, because its entries belong to a state that has been undone.
    pub(super) fn drop_queue(&mut self) {
        for table in self.queue.drain(..) {
            self.queued[table as usize] = false;
        }
    }

    /// Returns the variable to branch on: among the unfixed candidates, the variable with the smallest ratio of domain size to weighted
    /// degree (dom/wdeg; Boussemart et al., "Boosting systematic search by weighting constraints", ECAI 2004).
    pub(super) fn pick(&self, candidates: &[u32]) -> Option<u32> {
        let mut best: Option<(u32, u64, u64)> = None;
        for &x in candidates.iter().filter(|&&x| !self.is_fixed(x)) {
            let (size, weight) = (u64::from(self.size(x)), self.weighted_degree(x));
            if best.is_none_or(|(_, least, most)| size * most < least * weight) {
                best = Some((x, size, weight));
            }
        }
        best.map(|(x, _, _)| x)
    }

    /// Returns the weighted degree of `x`: 1 plus the weights of its propagated tables that have another unfixed variable. The weight of a
    /// table is 1 plus the number of its failures.
    fn weighted_degree(&self, x: u32) -> u64 {
        let tables = self.incident[x as usize]
            .iter()
            .filter(|&&table| self.looks_at[self.part(table)]);
        let open = tables.filter(|&&t| {
            self.tables
                .scope(t)
                .iter()
                .any(|&other| other != x && !self.is_fixed(other))
        });
        open.fold(1, |sum, &table| sum + self.weights[table as usize])
    }

    fn part(&self, table: u32) -> usize {
        self.parts[table as usize] as usize
    }

    fn is_due(&self, table: u32) -> bool {
        self.looks_at[self.part(table)]
            && match self.consistency {
                Consistency::Arc => true,
                Consistency::ForwardChecking => self
                    .tables
                    .scope(table)
                    .iter()
                    .filter(|&&x| !self.is_fixed(x))
                    .nth(1)
                    .is_none(),
            }
    }

    fn enqueue_tables_of(&mut self, x: u32, except: Option<u32>) {
        for i in 0..self.incident[x as usize].len() {
            let table = self.incident[x as usize][i];
            if Some(table) != except {
                self.enqueue(table);
            }
        }
    }

    fn enqueue(&mut self, table: u32) {
        if !self.queued[table as usize] && self.looks_at[self.part(table)] {
            self.queued[table as usize] = true;
            self.queue.push_back(table);
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::scsp::VariableKind;
    use mineflow_rng::Seed;

    /// Returns the reference result: the domains after repeatedly removing values that occur in no tuple of the current domains.
    fn closure(network: &ConstraintNetwork, mut domains: Vec<Vec<u32>>) -> Option<Vec<Vec<u32>>> {
        loop {
            let before = domains.clone();
            for c in 0..network.constraints() {
                let scope = network.scope(c);
                let tuples = network.tuples(c).chunks_exact(scope.len());
                let stands = |tuple: &&[u32]| {
                    scope
                        .iter()
                        .zip(*tuple)
                        .all(|(&x, v)| domains[x as usize].contains(v))
                };
                let standing: Vec<&[u32]> = tuples.filter(stands).collect();
                for (place, &x) in scope.iter().enumerate() {
                    domains[x as usize].retain(|v| standing.iter().any(|tuple| tuple[place] == *v));
                }
            }
            if domains.iter().any(Vec::is_empty) {
                return None;
            }
            if domains == before {
                return Some(domains);
            }
        }
    }

    fn sorted(state: &Propagation) -> Vec<Vec<u32>> {
        let values = |x| state.domains.values(&state.trail, x).to_vec();
        let mut domains: Vec<Vec<u32>> = (0..state.domains.variables()).map(values).collect();
        domains.iter_mut().for_each(|values| values.sort_unstable());
        domains
    }

    /// Makes random walks of assignments, removals and backtracking. After each step, the domains must equal the reference.
    #[test]
    fn compact_table_keeps_exactly_the_arc_consistent_values() {
        let mut rng = Seed::new(5).child("walk", 0).rng();
        let (mut failures, mut steps) = (0, 0);
        for _ in 0..60 {
            let mut network = ConstraintNetwork::new(0);
            let sizes: Vec<u32> = (0..6).map(|_| rng.random_range(2..9)).collect();
            let variables: Vec<_> = sizes
                .iter()
                .map(|&size| network.variable(VariableKind::Decision, size))
                .collect();
            for _ in 0..5 {
                let mut scope: Vec<usize> = (0..rng.random_range(1..=4))
                    .map(|_| rng.random_range(0..6))
                    .collect();
                scope.sort_unstable();
                scope.dedup();
                // Up to a few hundred tuples make tables with several words.
                let count = rng.random_range(20..400);
                let values = |_| {
                    scope
                        .iter()
                        .map(|&x| rng.random_range(0..sizes[x]))
                        .collect::<Vec<_>>()
                };
                let tuples: Vec<u32> = (0..count).flat_map(values).collect();
                let scope: Vec<_> = scope.iter().map(|&x| variables[x]).collect();
                network.allow(&scope, &tuples).unwrap();
            }
            let mut parts = Partition::default();
            parts.rebuild(&network);
            let mut state = Propagation::new();
            state.rebuild(&network, &parts);
            let full = sizes.iter().map(|&size| (0..size).collect()).collect();
            let Some(root) = closure(&network, full) else {
                assert!(!state.propagate());
                continue;
            };
            assert!(state.propagate());
            assert_eq!(sorted(&state), root);
            let mut known = vec![root];
            for _ in 0..200 {
                steps += 1;
                if known.len() > 1 && rng.random_bool(0.3) {
                    state.pop();
                    known.pop();
                    assert_eq!(Some(&sorted(&state)), known.last());
                    continue;
                }
                let mut domains = known.last().unwrap().clone();
                let x = rng.random_range(0..6);
                let value = domains[x][rng.random_range(0..domains[x].len())];
                state.push();
                let alive = if rng.random_bool(0.4) {
                    domains[x] = vec![value];
                    state.assign(x as u32, value)
                } else {
                    domains[x].retain(|&v| v != value);
                    state.remove(x as u32, value)
                };
                match closure(&network, domains) {
                    Some(expected) => {
                        assert!(alive && state.propagate());
                        assert_eq!(sorted(&state), expected);
                        known.push(expected);
                    }
                    None => {
                        assert!(!(alive && state.propagate()));
                        state.pop();
                        failures += 1;
                    }
                }
            }
        }
        assert!(
            failures > 200 && steps > 5_000,
            "{failures} failures in {steps} steps"
        );
    }
}
