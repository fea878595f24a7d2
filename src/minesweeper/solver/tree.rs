//! A search tree that runs DSS at every node, walked depth first with a stack of its own.
//!
//! [`Dsscsp`](super::Dsscsp) and [`ForwardChecking`](super::ForwardChecking) differ in which variables they search, in
//! what order, and in how long a node propagates; the walk is the same.

use super::dss::Ending;
use super::enumeration::Walk;
use super::{Budget, Dss, Exhausted, System};

/// A node on the way from the root to where the walk stands.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The variable to branch on.
    column: u16,
    /// Where to go on looking for unknown variables in the order.
    next: u16,
    /// The first value to try, and how many have been tried.
    first: bool,
    tried: u8,
    /// Whether some row may decide more, as the node's DSS did not come to its end.
    open_ended: bool,
    /// The state before the edge to this node was walked.
    mark: u32,
    solutions_before: u64,
}

/// What is done at the root before the first branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Root<'a> {
    /// Nothing, as in algorithm 3.
    AsGiven,
    /// DSS on these rows.
    Propagated(&'a [u16]),
}

/// The walk with its scratch.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    dss: Dss,
    stack: Vec<Node>,
    /// The state before the edge that was walked last.
    mark: usize,
}

impl Tree {
    /// A tree whose nodes run `dss`.
    pub fn new(dss: Dss) -> Self {
        Self { dss, stack: Vec::new(), mark: 0 }
    }

    /// Walks the tree of the unknown columns in `order`, the first of them that is still unknown being the one to
    /// branch on, and adds to `mines` in how many solutions each of them is a mine. True if the whole tree was walked.
    /// `system` is afterwards as before.
    ///
    /// The zero matrix of algorithm 3 is the case that no column of `order` is unknown: every column has a row, and
    /// only a value takes a column out of `A`, so the matrix can't lose a variable that has no value.
    pub fn walk(
        &mut self,
        system: &mut System,
        (order, root): (&[u16], Root<'_>),
        walk: &mut Walk<'_>,
        budget: &mut Budget,
        mines: &mut [u64],
    ) -> Result<bool, Exhausted> {
        if system.is_impossible() {
            return Ok(true);
        }
        self.dss.prepare(system);
        self.stack.clear();
        self.mark = system.mark();
        let mut reached = match root {
            Root::AsGiven => Ok(Ending::OutOfLoops),
            Root::Propagated(rows) => {
                rows.iter().for_each(|&row| self.dss.await_row(usize::from(row)));
                self.dss.search(system)
            }
        };
        let mut next = 0;
        let finished = loop {
            // The walk has just come down to a new place: a dead end, a solution or a node.
            match reached {
                Err(_) => system.undo(self.mark),
                Ok(ending) => match first_unknown(system, order, next) {
                    None => {
                        walk.solutions += 1;
                        undo_and_count(system, self.mark, 1, mines);
                    }
                    Some(at) => self.stack.push(Node {
                        column: order[at],
                        next: at as u16 + 1,
                        first: walk.first_value(),
                        tried: 0,
                        open_ended: ending == Ending::OutOfLoops,
                        mark: self.mark as u32,
                        solutions_before: walk.solutions,
                    }),
                },
            }
            let Some((column, mine, open_ended)) = self.next_edge(system, walk, mines, &mut next) else {
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
            if open_ended {
                self.dss.await_all(system);
            }
            // The edge is possible, so the reduction contradicts nothing.
            reached = self.dss.reduce(system, column, mine).and_then(|()| self.dss.search(system));
        };
        while let Some(node) = self.stack.pop() {
            leave(system, &node, walk, mines);
        }
        finished
    }

    /// The next possible edge from the deepest node that has one, leaving the nodes that have none.
    fn next_edge(
        &mut self,
        system: &mut System,
        walk: &Walk<'_>,
        mines: &mut [u64],
        next: &mut usize,
    ) -> Option<(usize, bool, bool)> {
        while let Some(node) = self.stack.last_mut() {
            let column = usize::from(node.column);
            while node.tried < 2 {
                let mine = node.first ^ (node.tried == 1);
                node.tried += 1;
                if system.is_possible(column, mine) {
                    *next = usize::from(node.next);
                    return Some((column, mine, node.open_ended));
                }
            }
            leave(system, node, walk, mines);
            self.stack.pop();
        }
        None
    }
}

/// Goes back up the edge to `node`.
fn leave(system: &mut System, node: &Node, walk: &Walk<'_>, mines: &mut [u64]) {
    undo_and_count(system, node.mark as usize, walk.solutions - node.solutions_before, mines);
}

/// Takes back what was reduced since `mark` and counts `solutions` for every mine in it: they share all these values.
#[inline]
pub(super) fn undo_and_count(system: &mut System, mark: usize, solutions: u64, mines: &mut [u64]) {
    system.undo_and(mark, |column, mine| mines[column] += solutions * u64::from(mine));
}

pub(super) fn first_unknown(system: &System, order: &[u16], from: usize) -> Option<usize> {
    (from..order.len()).find(|&at| system.value(usize::from(order[at])).is_none())
}
