//! Random descents in the tree of DSScsp: a random subset of the solutions (main paper, section 4.1).

use rand::RngExt;

use super::dss::Ending;
use super::tree::{first_unknown, undo_and_count};
use super::{Budget, Dss, Enumeration, Exhausted, System};
use mineflow_rng::Rng;

/// How many solutions are drawn, and from how deep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Subset {
    /// Ends after this many distinct solutions, at least 1, or ten times as many descents.
    pub solutions: u64,
    /// A descent is given up after this many edges.
    pub depth: Option<u64>,
}

impl Subset {
    /// Descents at most: the "maximum number of iterations" of section 4.1, of which it gives no figure.
    pub(super) fn max_descents(self) -> u64 {
        self.solutions.saturating_mul(10)
    }

    fn max_edges(self) -> usize {
        self.depth.map_or(usize::MAX, |depth| {
            usize::try_from(depth).unwrap_or(usize::MAX)
        })
    }
}

/// Descents with their scratch.
///
/// A descent begins at the root, takes a value at random at every node and turns back only out of a contradiction. A mine
/// is taken with the chance that the rows of the variable suggest, which is nearer than a fair coin to its share of the
/// solutions. Many descents go down together: those that take the same value share the edge, so an edge is walked once
/// however many they are.
#[derive(Clone, Debug)]
pub(super) struct Descents {
    dss: Dss,
    stack: Vec<DescentNode>,
    /// The paths of the solutions found.
    known: Vec<u64>,
}

/// A node on the way from the root to where the descents stand.
#[derive(Clone, Copy, Debug)]
struct DescentNode {
    /// The variable to branch on.
    column: u16,
    /// Where to go on looking for unknown variables in the order.
    next: u16,
    /// Whether some row may decide more, as the node's DSS did not come to its end.
    open_ended: bool,
    /// Values below which no solution lies: safe, mine.
    dead: [bool; 2],
    /// Descents that still have to take each value.
    waiting: [u64; 2],
    /// The value last descended to, and by how many.
    value: usize,
    sent: u64,
    /// The state before the edge to this node was walked.
    mark: u32,
    solutions_before: u64,
    /// Tells which branches lead here.
    path: u64,
}

/// Where descents come down to.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    ending: Ending,
    next: u16,
    descents: u64,
    path: u64,
    /// The state before the edge was walked.
    mark: usize,
}

/// How a place was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Below {
    /// No solution lies below.
    Nothing,
    /// A solution, or the limit of depth.
    Something,
}

/// What goes down with the descents.
pub(super) struct Errand<'a> {
    /// The columns in the order in which they are branched on.
    pub(super) order: &'a [u16],
    pub(super) subset: Subset,
    pub(super) rng: &'a mut Rng,
    pub(super) budget: &'a mut Budget,
    /// What is found is added here.
    pub(super) found: &'a mut Enumeration,
}

impl Descents {
    pub(super) fn new(dss: Dss) -> Self {
        Self {
            dss,
            stack: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Forgets what was found.
    pub(super) fn begin(&mut self) {
        self.known.clear();
    }

    /// Sends `descents` more down from the root and adds the solutions not found before. `system` is afterwards as before.
    pub(super) fn send(
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
            node.go(value);
            let node = *node;
            let mark = system.mark();
            if node.open_ended {
                self.dss.await_all(system);
            }
            // The edge is possible, so the reduction contradicts nothing.
            let reduced = self
                .dss
                .reduce(system, usize::from(node.column), value == 1);
            left = match reduced.and_then(|()| self.dss.search(system)) {
                Ok(ending) => {
                    let path = branch(node.path, node.column, value);
                    let arrival = Arrival {
                        ending,
                        next: node.next,
                        descents: node.sent,
                        path,
                        mark,
                    };
                    self.arrive(system, arrival, errand)
                }
                Err(_) => {
                    system.undo(mark);
                    Some(Below::Nothing)
                }
            };
        }
        Ok(())
    }

    /// A solution, the limit of depth, or a node, which is put on the stack; `None` for a node.
    fn arrive(
        &mut self,
        system: &mut System,
        arrival: Arrival,
        errand: &mut Errand<'_>,
    ) -> Option<Below> {
        let Arrival {
            ending,
            next,
            descents,
            path,
            mark,
        } = arrival;
        let Some(at) = first_unknown(system, errand.order, usize::from(next)) else {
            let is_new = !self.known.contains(&path);
            if is_new {
                self.known.push(path);
                errand.found.solutions += 1;
            }
            undo_and_count(system, mark, u64::from(is_new), &mut errand.found.mines);
            return Some(Below::Something);
        };
        if self.stack.len() >= errand.subset.max_edges() {
            system.undo(mark);
            return Some(Below::Something);
        }
        let column = errand.order[at];
        let mines = mines_among(descents, system, usize::from(column), errand.rng);
        let mut node = DescentNode {
            column,
            next: at as u16 + 1,
            open_ended: ending == Ending::OutOfLoops,
            dead: [false; 2],
            waiting: [descents - mines, mines],
            value: 0,
            sent: 0,
            mark: mark as u32,
            solutions_before: errand.found.solutions,
            path,
        };
        (0..2)
            .filter(|&value| !system.is_possible(usize::from(column), value == 1))
            .for_each(|dead| node.close(dead));
        self.stack.push(node);
        None
    }

    /// Goes back up from the deepest node, at which no descent waits any more.
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
    /// Sends down all who wait for `value`.
    fn go(&mut self, value: usize) {
        self.value = value;
        self.sent = std::mem::take(&mut self.waiting[value]);
    }

    /// Those who were sent come back.
    fn come_back(&mut self, below: Below) {
        if below == Below::Nothing {
            self.waiting[self.value] = self.sent;
            self.close(self.value);
        }
    }

    /// Those who wait for a dead value take the other one; none waits where both are dead.
    fn close(&mut self, value: usize) {
        self.dead[value] = true;
        let turned = std::mem::take(&mut self.waiting[value]);
        if !self.dead[1 - value] {
            self.waiting[1 - value] += turned;
        }
    }
}

/// How many of `descents` take a mine at `column`: the mean share of mines among the unknown cells of its rows, rounded up
/// or down at random. Each descent takes a mine with that chance, and together they spread evenly.
fn mines_among(descents: u64, system: &System, column: usize, rng: &mut Rng) -> u64 {
    let rows = system.rows_of(column);
    // In parts of 65,536. An unknown column leaves every row of it at least one unknown cell.
    let share =
        |row: usize| ((system.mines_left(row) as u32) << 16) / system.unknown_in(row) as u32;
    let shares: u32 = rows.iter().map(|&row| share(usize::from(row))).sum();
    (descents * u64::from(shares / rows.len() as u32) + u64::from(rng.random::<u16>())) >> 16
}

/// The path that continues `path` with a value; two different ones agree with a chance of 2^-64.
fn branch(path: u64, column: u16, value: usize) -> u64 {
    let mixed =
        (path ^ (u64::from(column) << 1 | value as u64)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) ^ mixed >> 32
}
