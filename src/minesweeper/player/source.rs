//! The source of a recipe's mine probabilities.

use std::fmt;

use crate::solver::{Subset, Traversal};
use mineflow_search::options::{OptionList, Options, changes};
use mineflow_store::named;

/// The method that computes the mine probability of every covered cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// P of Sinha et al. (2021), equation 3: every solution of `A M = N` has the same weight.
    Solutions {
        engine: Engine,
        off_boundary: OffBoundary,
    },
    /// The posterior: every layout with exactly the board's number of mines has the same weight.
    Posterior,
}

/// The enumeration of the solutions of `A M = N` (Sinha et al. 2021, section 4.1). Without limits,
/// all engines give the same P.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// A search tree over the whole system.
    Tree(TreeSearch),
    /// Counting the solutions component by component (heuristic 5 of "An Artificial Intelligence
    /// Approach to Minesweeper").
    Components,
}

/// A search tree and the part of it that is visited. A search that does not visit the whole tree
/// gives an estimate and proves nothing. Sinha et al. (2021, section 5.1) limit the edges of a
/// traversal by "swaps" for backtracking and by "depth" for DSScsp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeSearch {
    /// A traversal of the tree of simple backtracking.
    Backtracking(Traversal),
    /// A traversal of the whole tree of DSScsp (Sinha et al. 2021, algorithm 3).
    Dsscsp,
    /// A traversal of the whole tree of DSScsp, or without DSS of backtracking, that copies the
    /// matrices at each node as algorithm 3 does.
    Copies { dss: bool },
    /// Random descents in the tree of DSScsp.
    Descents(Subset),
}

/// The mine probability of covered cells without an open neighbour, which equation 3 of Sinha et
/// al. (2021) does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OffBoundary {
    /// The board's number of mines per cell (section 4.2.3 of "An Artificial Intelligence Approach
    /// to Minesweeper").
    #[default]
    Density,
    /// The constant 0.5 (Sinha et al. 2021, section 4.2.2).
    Half,
}

impl TreeSearch {
    /// Returns whether the search visits every solution in every position.
    pub const fn is_complete(self) -> bool {
        match self {
            Self::Backtracking(limits) => limits.is_complete(),
            Self::Dsscsp | Self::Copies { .. } => true,
            Self::Descents(_) => false,
        }
    }
}

named!(OffBoundary, "probability off the boundary": Density = "density", Half = "half");

/// The name and help line of each source.
pub(super) const SOURCES: [(&str, &str); 5] = [
    (
        "backtracking",
        "P from all solutions, found by backtracking; [:solutions=N] [:swaps=N] [:off-boundary=density|half]",
    ),
    (
        "dsscsp",
        "P from all solutions, or from N random ones, found by DSScsp; [:solutions=N] [:depth=N] \
         [:off-boundary=density|half]",
    ),
    (
        "copies",
        "dsscsp, or with dss=false backtracking, with matrices that are copied at each node; \
         [:dss=true] [:off-boundary=density|half]",
    ),
    (
        "components",
        "P from all solutions, counted by component; [:off-boundary=density|half]",
    ),
    (
        "posterior",
        "exact mine probabilities: layouts of the whole board are equally likely",
    ),
];

impl Source {
    /// Returns the source called `name` without limits, or `None` if no source has this name.
    pub(super) fn usual(name: &str) -> Option<Self> {
        let engine = match name {
            "backtracking" => Engine::Tree(TreeSearch::Backtracking(Traversal::COMPLETE)),
            "dsscsp" => Engine::Tree(TreeSearch::Dsscsp),
            "copies" => Engine::Tree(TreeSearch::Copies { dss: true }),
            "components" => Engine::Components,
            "posterior" => return Some(Self::Posterior),
            _ => return None,
        };
        Some(Self::Solutions {
            engine,
            off_boundary: OffBoundary::default(),
        })
    }

    /// Returns the name of the source in a recipe.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Solutions {
                engine: Engine::Tree(TreeSearch::Backtracking(_)),
                ..
            } => "backtracking",
            Self::Solutions {
                engine: Engine::Tree(TreeSearch::Copies { .. }),
                ..
            } => "copies",
            Self::Solutions {
                engine: Engine::Tree(_),
                ..
            } => "dsscsp",
            Self::Solutions {
                engine: Engine::Components,
                ..
            } => "components",
            Self::Posterior => "posterior",
        }
    }
}

impl Options for Source {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        let Self::Solutions {
            engine,
            off_boundary,
        } = self
        else {
            return;
        };
        if let Engine::Tree(search) = engine {
            search.list(list);
        }
        list.text("off-boundary", off_boundary, "density or half");
    }
}

impl Options for TreeSearch {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        if let Self::Backtracking(limits) = self {
            list.optional("solutions", &mut limits.max_solutions, 1..);
            list.optional("swaps", &mut limits.max_edges, 1..);
            return;
        }
        let (mut solutions, mut depth) = match self {
            Self::Descents(subset) => (Some(subset.solutions), subset.depth),
            Self::Copies { dss } => return list.text("dss", dss, "true or false"),
            Self::Backtracking(_) | Self::Dsscsp => (None, None),
        };
        list.optional("solutions", &mut solutions, 1..);
        list.optional("depth", &mut depth, 1..);
        *self = match (solutions, depth) {
            (Some(solutions), depth) => Self::Descents(Subset { solutions, depth }),
            (None, None) => Self::Dsscsp,
            (None, Some(_)) => return list.missing("solutions", "a whole number from 1"),
        };
    }
}

/// Formats the source as the shortest text that parses to it.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::usual(self.name()).expect("every source has a name");
        write!(f, "{}{}", self.name(), changes(self, &usual))
    }
}
