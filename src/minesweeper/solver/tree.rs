//! A search tree that runs DSS at every node, walked depth first with an explicit stack.
//!
//! [`Backtracking`](super::Backtracking), [`Dsscsp`](super::Dsscsp) and
//! [`ForwardChecking`](super::ForwardChecking) use the same walk. They differ in which variables
//! they search, in what order, and in how long a node propagates.

use super::{
    budget::{Budget, Exhausted},
    dss::{Dss, Ending},
    enumeration::{Enumeration, Walk},
    error::Contradiction,
    system::System,
};

/// A node on the path from the root to the current position of the walk.
#[derive(Clone, Copy, Debug)]
struct Branching {
    /// The variable to branch on.
    column: u16,
    /// The index in the order from which to search for the next unknown variable.
    next: u16,
    /// The first value to try, and the number of values tried.
    first: bool,
    tried: u8,
    /// Whether some row may decide more, because the node's DSS ran out of loops.
    open_ended: bool,
    /// The undo mark from before the edge to this node.
    mark: u32,
    solutions_before: u64,
}

/// The variables to search, and the propagation before the first branching.
#[derive(Clone, Copy)]
pub(crate) struct Order<'a> {
    /// The columns in branching order: the first unknown one is branched on.
    pub columns: &'a [u16],
    /// The rows that DSS checks at the root; `None` for no DSS at the root, as in algorithm 3 of
    /// Sinha et al. (2021).
    pub propagated: Option<&'a [u16]>,
}

/// The walk, with its scratch memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct DssTree {
    /// The deductions at every node; `None` for none.
    dss: Option<Dss>,
    stack: Vec<Branching>,
    /// The undo mark from before the edge that was walked last.
    mark: usize,
}

impl DssTree {
    /// Creates a tree whose nodes run `dss`.
    pub fn new(dss: Dss) -> Self {
        Self {
            dss: Some(dss),
            ..Self::default()
        }
    }

    /// Walks the tree like [`DssTree::walk`], and writes the result to `found`.
    pub fn enumerate(
        &mut self,
        system: &mut System,
        order: Order<'_>,
        walk: &mut Walk<'_>,
        budget: &mut Budget,
        found: &mut Enumeration,
    ) -> Result<(), Exhausted> {
        found.begin(system.cells().len());
        let complete = self.walk(system, order, walk, budget, &mut found.mines)?;
        walk.finish(system, complete, found);
        Ok(())
    }

    /// Walks the tree of the unknown columns in `order`. Adds to `mines` the number of solutions in
    /// which each of them is a mine. Returns true if the whole tree was walked. `system` is
    /// unchanged afterwards.
    ///
    /// The zero matrix in algorithm 3 of Sinha et al. (2021) is the case in which no column of
    /// `order` is unknown: every column has a row, and only a value removes a column from `A`. Thus
    /// the matrix can't lose a variable that has no value.
    pub fn walk(
        &mut self,
        system: &mut System,
        order: Order<'_>,
        walk: &mut Walk<'_>,
        budget: &mut Budget,
        mines: &mut [u64],
    ) -> Result<bool, Exhausted> {
        if system.is_impossible() {
            return Ok(true);
        }
        self.stack.clear();
        self.mark = system.mark();
        if let Some(dss) = &mut self.dss {
            dss.prepare(system);
        }
        let at_root = match (&mut self.dss, order.propagated) {
            (Some(dss), Some(rows)) => {
                rows.iter().for_each(|&row| dss.await_row(usize::from(row)));
                dss.search(system)
            }
            _ => Ok(Ending::OutOfLoops),
        };
        self.arrive(system, at_root, order.columns, 0, walk, mines);
        let finished = loop {
            let Some((node, mine)) = self.next_edge(system, walk, mines) else {
                break Ok(true);
            };
            if !walk.may_go_on() {
                break Ok(false);
            }
            if let Err(exhausted) = budget.spend(1) {
                break Err(exhausted);
            }
            walk.edges += 1;
            self.mark = system.mark();
            let column = usize::from(node.column);
            // The edge is possible; the reduction thus can't cause a contradiction.
            let below = match &mut self.dss {
                None => {
                    system.reduce(column, mine);
                    Ok(Ending::FixedPoint)
                }
                Some(dss) => {
                    if node.open_ended {
                        dss.await_all(system);
                    }
                    dss.reduce(system, column, mine)
                        .and_then(|()| dss.search(system))
                }
            };
            self.arrive(system, below, order.columns, node.next, walk, mines);
        };
        while let Some(node) = self.stack.pop() {
            leave(system, &node, walk, mines);
        }
        finished
    }

    /// Handles the result of DSS at a new place: a dead end, a solution, or a node to branch at.
    fn arrive(
        &mut self,
        system: &mut System,
        reached: Result<Ending, Contradiction>,
        columns: &[u16],
        next: u16,
        walk: &mut Walk<'_>,
        mines: &mut [u64],
    ) {
        let Ok(ending) = reached else {
            system.undo(self.mark);
            return;
        };
        match first_unknown(system, columns, usize::from(next)) {
            None => {
                walk.solutions += 1;
                undo_and_count(system, self.mark, 1, mines);
            }
            Some(at) => self.stack.push(Branching {
                column: columns[at],
                next: at as u16 + 1,
                first: walk.first_value(),
                tried: 0,
                open_ended: ending == Ending::OutOfLoops,
                mark: self.mark as u32,
                solutions_before: walk.solutions,
            }),
        }
    }

    /// Returns the deepest node that has a possible edge left, and the value of this edge; leaves
    /// the nodes that have none.
    fn next_edge(
        &mut self,
        system: &mut System,
        walk: &Walk<'_>,
        mines: &mut [u64],
    ) -> Option<(Branching, bool)> {
        while let Some(node) = self.stack.last_mut() {
            while node.tried < 2 {
                let mine = node.first ^ (node.tried == 1);
                node.tried += 1;
                if system.is_possible(usize::from(node.column), mine) {
                    return Some((*node, mine));
                }
            }
            leave(system, node, walk, mines);
            self.stack.pop();
        }
        None
    }
}

/// Reverts the edge to `node` and counts the solutions below it.
fn leave(system: &mut System, node: &Branching, walk: &Walk<'_>, mines: &mut [u64]) {
    undo_and_count(
        system,
        node.mark as usize,
        walk.solutions - node.solutions_before,
        mines,
    );
}

/// Reverts the reductions since `mark`. Counts `solutions` for every mine among them, since all
/// these solutions share the values.
pub(super) fn undo_and_count(system: &mut System, mark: usize, solutions: u64, mines: &mut [u64]) {
    system.undo_and(mark, |column, mine| {
        mines[column] += solutions * u64::from(mine)
    });
}

pub(super) fn first_unknown(system: &System, order: &[u16], from: usize) -> Option<usize> {
    (from..order.len()).find(|&at| system.value(usize::from(order[at])).is_none())
}
