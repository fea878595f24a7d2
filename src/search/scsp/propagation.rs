//! The state of a search: domains and tables on one trail, a queue of tables to revise, and failure
//! weights.

use std::collections::VecDeque;

use super::{
    compact_table::{CompactTables, TablesMark},
    domains::Domains,
    network::ConstraintNetwork,
    parts::{NetworkPart, Partition},
    trail::Trail,
};
use crate::clock::Deadline;

/// The number of tables taken from the queue between two readings of the clock.
const CLOCK_EVERY: u32 = 32;

/// The level of inference after each assignment.
#[derive(Clone, Copy, Debug)]
pub(super) enum Consistency {
    /// Arc consistency: every value of every variable has a support in every table.
    Arc,
    /// Forward checking: a table is revised only once all its variables but one are fixed.
    ForwardChecking,
}

/// The domains and tables of a network, with the data for propagation.
#[derive(Clone, Debug)]
pub(super) struct Propagation {
    pub trail: Trail,
    pub domains: Domains,
    tables: CompactTables,
    /// For each table, its part of the network.
    parts: Vec<NetworkPart>,
    /// For each variable, the tables whose scope contains the variable.
    incident: Vec<Vec<u32>>,
    weights: Vec<u64>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    consistency: Consistency,
    /// For each part, indexed by `NetworkPart as usize`, whether its tables are propagated.
    looks_at: [bool; 2],
    /// When propagation ends, the number of tables taken from the queue, and whether propagation
    /// ended because it was late.
    deadline: Option<Deadline>,
    taken: u32,
    late: bool,
}

impl Propagation {
    /// Creates the domains and tables of `network`.
    pub fn new(network: &ConstraintNetwork, parts: &Partition) -> Self {
        let mut trail = Trail::default();
        let mut state = Self {
            domains: Domains::new(network, &mut trail),
            trail,
            tables: CompactTables::default(),
            parts: Vec::new(),
            incident: vec![Vec::new(); network.variables() as usize],
            weights: Vec::new(),
            queue: VecDeque::new(),
            queued: Vec::new(),
            consistency: Consistency::Arc,
            looks_at: [true, true],
            deadline: None,
            taken: 0,
            late: false,
        };
        for constraint in 0..network.constraints() {
            state.add(
                network,
                network.scope(constraint),
                network.tuples(constraint),
                parts.of(constraint),
            );
        }
        state
    }

    /// Sets the time at which propagation ends.
    pub fn end_at(&mut self, deadline: Option<Deadline>) {
        (self.deadline, self.late) = (deadline, false);
    }

    /// Returns whether propagation found the deadline passed. It then fails until another deadline
    /// is set.
    pub const fn is_late(&self) -> bool {
        self.late
    }

    /// Sets the level of inference, and the parts whose tables are propagated.
    pub fn look_at(&mut self, consistency: Consistency, looks_at: [bool; 2]) {
        self.consistency = consistency;
        self.looks_at = looks_at;
    }

    /// Adds a table and puts it into the queue.
    pub fn add(
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

    pub fn mark(&self) -> (TablesMark, u32, u32) {
        (self.tables.mark(), self.tables.len(), self.trail.len())
    }

    /// Removes the tables added since `mark`. The current level must be the one at which the mark
    /// was made.
    pub fn truncate(&mut self, (mark, tables, cells): (TablesMark, u32, u32)) {
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

    pub fn forget_failures(&mut self) {
        self.weights.fill(1);
    }

    pub fn size(&self, x: u32) -> u32 {
        self.domains.size(&self.trail, x)
    }

    pub fn is_fixed(&self, x: u32) -> bool {
        self.domains.is_fixed(&self.trail, x)
    }

    pub fn contains(&self, x: u32, value: u32) -> bool {
        self.domains.contains(&self.trail, x, value)
    }

    /// Returns the smallest value in the domain of `x`.
    pub fn least(&self, x: u32) -> u32 {
        *self
            .domains
            .values(&self.trail, x)
            .iter()
            .min()
            .expect("propagation leaves no domain empty")
    }

    pub fn push(&mut self) {
        self.trail.push();
    }

    pub fn pop(&mut self) {
        self.trail.pop();
    }

    /// Fixes `x` to `value`; returns false if the domain does not contain `value`.
    pub fn assign(&mut self, x: u32, value: u32) -> bool {
        if !self.contains(x, value) {
            return false;
        }
        if !self.is_fixed(x) {
            self.domains.assign(&mut self.trail, x, value);
            self.enqueue_tables_of(x, None);
        }
        true
    }

    /// Removes `value` from the domain of `x`. If `value` is the only value left, leaves the domain
    /// unchanged and returns false.
    pub fn remove(&mut self, x: u32, value: u32) -> bool {
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
    pub fn enqueue_all(&mut self) {
        for table in 0..self.tables.len() {
            self.enqueue(table);
        }
    }

    /// Propagates until the fixpoint; returns false if some table has no tuple left or the deadline
    /// has passed.
    pub fn propagate(&mut self) -> bool {
        while let Some(table) = self.queue.pop_front() {
            self.queued[table as usize] = false;
            self.taken = self.taken.wrapping_add(1);
            if self.taken.is_multiple_of(CLOCK_EVERY) {
                self.late |= self.deadline.is_some_and(|end| end.is_over());
            }
            if self.late {
                self.drop_queue();
                return false;
            }
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
    pub fn drop_queue(&mut self) {
        for table in self.queue.drain(..) {
            self.queued[table as usize] = false;
        }
    }

    /// Returns the variable to branch on: among the unfixed candidates, the variable with the
    /// smallest ratio of domain size to weighted degree (dom/wdeg; Boussemart et al., "Boosting
    /// systematic search by weighting constraints", ECAI 2004).
    pub fn pick(&self, candidates: &[u32]) -> Option<u32> {
        let mut best: Option<(u32, u64, u64)> = None;
        for &x in candidates.iter().filter(|&&x| !self.is_fixed(x)) {
            let size = u64::from(self.size(x));
            let weight = self.weighted_degree(x);
            if best.is_none_or(|(_, least, most)| size * most < least * weight) {
                best = Some((x, size, weight));
            }
        }
        best.map(|(x, _, _)| x)
    }

    /// Returns the weighted degree of `x`: 1 plus the weights of its propagated tables that have
    /// another unfixed variable. The weight of a table is 1 plus the number of its failures.
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
