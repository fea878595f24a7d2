//! Random descents in the tree of DSScsp, which find a random subset of the solutions (Sinha et al.
//! 2021, section 4.1).

use rand::RngExt;

use super::{
    Budget, Dss, Enumeration, Exhausted, System,
    dss::Ending,
    tree::{first_unknown, undo_and_count},
};
use mineflow_rng::Rng;

/// The number of solutions to draw and the depth limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subset {
    /// Stop after this many distinct solutions, at least 1, or after ten times as many descents.
    pub solutions: u64,
    /// Abandon a descent after this many edges.
    pub depth: Option<u64>,
}

impl Subset {
    /// Returns the maximum number of descents: the "maximum number of iterations" of Sinha et al.
    /// (2021, section 4.1), who give no figure.
    pub(super) fn max_descents(self) -> u64 {
        self.solutions.saturating_mul(10)
    }

    fn max_edges(self) -> usize {
        self.depth.map_or(usize::MAX, |depth| {
            usize::try_from(depth).unwrap_or(usize::MAX)
        })
    }
}

/// Random descents, with their scratch memory.
///
/// A descent starts at the root, takes a random value at every node and backtracks only out of a
/// contradiction. It takes a mine with a probability equal to the mean share of mines that the rows
/// of the variable still need, which is closer than a fair coin to the share of the solutions with
/// a mine there. Many descents run together: those that take the same value share the edge, and
/// thus each edge is walked only once.
#[derive(Clone, Debug)]
pub(super) struct Descents {
    dss: Dss,
    stack: Vec<DescentNode>,
    /// The path hashes of the solutions found.
    known: Vec<u64>,
}

/// A node on the path from the root to the current position of the descents.
#[derive(Clone, Copy, Debug)]
struct DescentNode {
    /// The variable to branch on.
    column: u16,
    /// The index in the order from which to search for the next unknown variable.
    next: u16,
    /// Whether some row may decide more, because the node's DSS ran out of loops.
    open_ended: bool,
    /// For each value (safe, mine), whether no solution lies below it.
    dead: [bool; 2],
    /// Number of descents that still have to take each value.
    waiting: [u64; 2],
    /// The value taken last, and the number of descents that took it.
    value: usize,
    sent: u64,
    /// The undo mark from before the edge to this node.
    mark: u32,
    solutions_before: u64,
    /// A hash of the columns and values on the path from the root to this node.
    path: u64,
}

/// The place that descents have reached.
#[derive(Clone, Copy)]
struct Arrival {
    ending: Ending,
    next: u16,
    descents: u64,
    path: u64,
    /// The undo mark from before the edge.
    mark: usize,
}

/// The result of searching the part of the tree below a place.
#[derive(Clone, Copy, PartialEq)]
enum Below {
    /// The part of the tree has no solution.
    Nothing,
    /// A solution or the depth limit was reached.
    Something,
}

/// The context of a set of descents.
pub(super) struct Errand<'a> {
    /// The columns in branching order.
    pub order: &'a [u16],
    pub subset: Subset,
    pub rng: &'a mut Rng,
    pub budget: &'a mut Budget,
    /// The enumeration to which the solutions found are added.
    pub found: &'a mut Enumeration,
}

impl Descents {
    pub fn new(dss: Dss) -> Self {
        Self {
            dss,
            stack: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Forgets the solutions that earlier descents found.
    pub fn begin(&mut self) {
        self.known.clear();
    }

    /// Sends `descents` more descents from the root and adds the solutions that were not found
    /// before. `system` is unchanged afterwards.
    pub fn send(
        &mut self,
        system: &mut System,
        descents: u64,
        errand: &mut Errand<'_>,
    ) -> Result<(), Exhausted> {
        if system.is_impossible() {
            return Ok(());
        }
        self.dss.prepare(system);
        self.stack.clear();
        let root = Arrival {
            ending: Ending::OutOfLoops,
            next: 0,
            descents,
            path: 0,
            mark: system.mark(),
        };
        let mut left = self.arrive(system, root, errand);
        while let Some(node) = self.stack.last_mut() {
            if let Some(below) = left.take() {
                node.come_back(below);
            }
            let Some(value) = (0..2).find(|&value| node.waiting[value] > 0) else {
                left = Some(self.leave(system, errand));
                continue;
            };
            if let Err(exhausted) = errand.budget.spend(1) {
                system.undo(self.stack[0].mark as usize);
                return Err(exhausted);
            }
            errand.found.edges += 1;
            node.value = value;
            node.sent = std::mem::take(&mut node.waiting[value]);
            let node = *node;
            left = self.descend(system, &node, errand);
        }
        Ok(())
    }

    /// Walks the edge from `node` to the value that was just sent; returns like
    /// [`Descents::arrive`].
    fn descend(
        &mut self,
        system: &mut System,
        node: &DescentNode,
        errand: &mut Errand<'_>,
    ) -> Option<Below> {
        let mark = system.mark();
        if node.open_ended {
            self.dss.await_all(system);
        }
        // The edge is possible; the reduction thus can't cause a contradiction.
        let column = usize::from(node.column);
        let reduced = self.dss.reduce(system, column, node.value == 1);
        let Ok(ending) = reduced.and_then(|()| self.dss.search(system)) else {
            system.undo(mark);
            return Some(Below::Nothing);
        };
        let arrival = Arrival {
            ending,
            next: node.next,
            descents: node.sent,
            path: branch(node.path, node.column, node.value),
            mark,
        };
        self.arrive(system, arrival, errand)
    }

    /// Handles a new place: returns the result at a solution or at the depth limit; otherwise
    /// pushes a node on the stack and returns `None`.
    fn arrive(
        &mut self,
        system: &mut System,
        arrival: Arrival,
        errand: &mut Errand<'_>,
    ) -> Option<Below> {
        let Some(at) = first_unknown(system, errand.order, usize::from(arrival.next)) else {
            let is_new = !self.known.contains(&arrival.path);
            if is_new {
                self.known.push(arrival.path);
                errand.found.solutions += 1;
            }
            let mines = &mut errand.found.mines;
            undo_and_count(system, arrival.mark, u64::from(is_new), mines);
            return Some(Below::Something);
        };
        if self.stack.len() >= errand.subset.max_edges() {
            system.undo(arrival.mark);
            return Some(Below::Something);
        }
        let column = errand.order[at];
        let mines = mines_among(arrival.descents, system, usize::from(column), errand.rng);
        let mut node = DescentNode {
            column,
            next: at as u16 + 1,
            open_ended: arrival.ending == Ending::OutOfLoops,
            dead: [false; 2],
            waiting: [arrival.descents - mines, mines],
            value: 0,
            sent: 0,
            mark: arrival.mark as u32,
            solutions_before: errand.found.solutions,
            path: arrival.path,
        };
        for value in 0..2 {
            if !system.is_possible(usize::from(column), value == 1) {
                node.close(value);
            }
        }
        self.stack.push(node);
        None
    }

    /// Returns from the deepest node, at which no descent is waiting any more.
    fn leave(&mut self, system: &mut System, errand: &mut Errand<'_>) -> Below {
        let node = self
            .stack
            .pop()
            .expect("a node is left after it was reached");
        let solutions = errand.found.solutions - node.solutions_before;
        undo_and_count(
            system,
            node.mark as usize,
            solutions,
            &mut errand.found.mines,
        );
        if node.dead == [true; 2] {
            Below::Nothing
        } else {
            Below::Something
        }
    }
}

impl DescentNode {
    /// Handles the return of the descents that were sent.
    fn come_back(&mut self, below: Below) {
        if below == Below::Nothing {
            self.waiting[self.value] = self.sent;
            self.close(self.value);
        }
    }

    /// Marks a value as dead. Descents that wait for it take the other value; if both are dead,
    /// none waits.
    fn close(&mut self, value: usize) {
        self.dead[value] = true;
        let turned = std::mem::take(&mut self.waiting[value]);
        if !self.dead[1 - value] {
            self.waiting[1 - value] += turned;
        }
    }
}

/// Returns how many of `descents` take a mine at `column`: `descents` times the mean share of mines
/// among the unknown cells of its rows, rounded up or down at random. Each descent thus takes a
/// mine with a probability equal to this share, and together they spread evenly.
fn mines_among(descents: u64, system: &System, column: usize, rng: &mut Rng) -> u64 {
    let rows = system.rows_of(column);
    // The share is in units of 1/65,536. `column` is unknown, and thus `unknown_in` is at least 1
    // for each of its rows.
    let share =
        |row: usize| ((system.mines_left(row) as u32) << 16) / system.unknown_in(row) as u32;
    let shares: u32 = rows.iter().map(|&row| share(usize::from(row))).sum();
    (descents * u64::from(shares / rows.len() as u32) + u64::from(rng.random::<u16>())) >> 16
}

/// Hashes the path that extends `path` by a value. Two different paths collide with a probability
/// of 2^-64.
fn branch(path: u64, column: u16, value: usize) -> u64 {
    let mixed =
        (path ^ (u64::from(column) << 1 | value as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ mixed >> 32
}
