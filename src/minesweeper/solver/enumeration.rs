//! The limits and the results of a walk through a search tree for the solutions of `A M = N`.

use rand::RngExt;

use super::System;
use mineflow_rng::Rng;

/// The limits of a walk through a search tree. Without limits the whole tree is walked. With any
/// limit, the order of the two values is drawn at random at every node. A limited walk does not
/// find a uniform sample of the solutions, because the solutions found share the values near the
/// root; use [`Subset`](super::Subset) to draw a random subset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traversal {
    /// Stop after this many solutions.
    pub max_solutions: Option<u64>,
    /// Stop after this many edges of the tree were walked downwards in the whole search.
    pub max_edges: Option<u64>,
}

impl Traversal {
    /// The traversal of the whole tree, without limits.
    pub const COMPLETE: Self = Self {
        max_solutions: None,
        max_edges: None,
    };

    /// Returns whether neither limit is set.
    pub const fn is_complete(self) -> bool {
        self.max_solutions.is_none() && self.max_edges.is_none()
    }
}

/// The solutions that a walk found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Enumeration {
    /// Number of different solutions found. Zero in a complete enumeration means that the system
    /// contradicts itself.
    pub solutions: u64,
    /// For every column of the system, the number of the solutions in which it is a mine.
    pub mines: Vec<u64>,
    /// Number of edges of the tree walked.
    pub edges: u64,
    /// Whether these are all solutions of the tree.
    pub complete: bool,
}

impl Enumeration {
    /// Resets to an empty result for a system with this many columns.
    pub(super) fn begin(&mut self, columns: usize) {
        (self.solutions, self.edges, self.complete) = (0, 0, false);
        self.mines.clear();
        self.mines.resize(columns, 0);
    }

    /// Sets the mine counts of the columns that `system` had reduced before the walk. All solutions
    /// share their values.
    pub(super) fn count_reduced(&mut self, system: &System) {
        for (column, mine) in system.reduced_since(0) {
            self.mines[column] = self.solutions * u64::from(mine);
        }
    }

    /// Returns the share of the solutions in which `column` is a mine (Sinha et al. 2021, equation
    /// 3), or 0.5 if no solution was found.
    pub fn probability(&self, column: usize) -> f64 {
        if self.solutions == 0 {
            0.5
        } else {
            self.mines[column] as f64 / self.solutions as f64
        }
    }
}

/// The limits and counts of a walk in progress.
pub(crate) struct Walk<'a> {
    max_solutions: u64,
    max_edges: u64,
    random_order: Option<&'a mut Rng>,
    pub solutions: u64,
    pub edges: u64,
}

impl<'a> Walk<'a> {
    pub fn new(traversal: Traversal, rng: &'a mut Rng) -> Self {
        Self {
            max_solutions: traversal.max_solutions.unwrap_or(u64::MAX),
            max_edges: traversal.max_edges.unwrap_or(u64::MAX),
            random_order: (!traversal.is_complete()).then_some(rng),
            solutions: 0,
            edges: 0,
        }
    }

    /// Creates a walk of the whole tree.
    pub fn complete() -> Self {
        Self::up_to(u64::MAX)
    }

    /// Creates a walk that stops after this many solutions, without random order of the values.
    pub fn up_to(max_solutions: u64) -> Self {
        Self {
            max_solutions,
            max_edges: u64::MAX,
            random_order: None,
            solutions: 0,
            edges: 0,
        }
    }

    /// Returns whether one more edge may be walked.
    pub fn may_go_on(&self) -> bool {
        self.solutions < self.max_solutions && self.edges < self.max_edges
    }

    /// Returns the value to try first at a node.
    pub fn first_value(&mut self) -> bool {
        self.random_order.as_mut().is_some_and(|rng| rng.random())
    }

    /// Completes `found`, which already has the mines of the columns assigned by the walk; this
    /// adds the columns that had a value before.
    pub fn finish(&self, system: &System, complete: bool, found: &mut Enumeration) {
        (found.solutions, found.edges, found.complete) = (self.solutions, self.edges, complete);
        found.count_reduced(system);
    }
}
