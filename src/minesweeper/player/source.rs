//! The source of a recipe's mine probabilities.

use std::fmt;

use crate::solver::{Subset, Traversal};
use mineflow_search::options::{OptionError, OptionList, Options, changes};
use mineflow_store::named;

/// The method that computes the mine probability of every covered cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// P of Sinha et al. (2021), equation 3: every solution of `A M = N` has the same weight.
    Solutions {
        engine: Engine,
        off_boundary: OffBoundary,
    },
    /// The posterior: every layout with exactly the board's number of mines has the same weight.
    Posterior,
}

/// The enumeration of the solutions of `A M = N` (Sinha et al. 2021, section 4.1). Without limits, all engines give the same P.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Engine {
    /// A search tree over the whole system.
    Tree(TreeSearch),
    /// Counting the solutions component by component (heuristic 5 of "An Artificial Intelligence Approach to Minesweeper").
    Components,
}

/// A search tree and the part of it that is visited. A search that does not visit the whole tree gives an estimate and proves nothing.
/// Sinha et al. (2021, section 5.1) limit the edges of a traversal by "swaps" for backtracking and by "depth" for DSScsp.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TreeSearch {
    /// A traversal of the tree of simple backtracking.
    Backtracking(Traversal),
    /// A traversal of the tree of DSScsp (Sinha et al. 2021, algorithm 3).
    Dsscsp(Traversal),
    /// Random descents in the tree of DSScsp.
    Descents(Subset),
}

/// The mine probability of covered cells without an open neighbour, which equation 3 of Sinha et al. (2021) does not define.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum OffBoundary {
    /// The board's number of mines per cell (section 4.2.3 of "An Artificial Intelligence Approach to Minesweeper").
    #[default]
    Density,
    /// The number of mines not found yet, divided by the number of covered cells not known to be mines: `(m - f) / l` in equation 4 of
    /// Sinha et al. (2021).
    Remaining,
    /// The constant 0.5 (Sinha et al. 2021, section 4.2.2).
    Half,
}

impl TreeSearch {
    /// Returns whether the search visits every solution in every position.
    pub const fn is_complete(self) -> bool {
        match self {
            Self::Backtracking(limits) | Self::Dsscsp(limits) => limits.is_complete(),
            Self::Descents(_) => false,
        }
    }
}

named!(OffBoundary, "probability off the boundary": Density = "density", Remaining = "remaining", Half = "half");

/// The name and help line of each source.
pub(super) const SOURCES: [(&str, &str); 4] = [
    (
        "backtracking",
        "P from all solutions, found by backtracking; [:solutions=N] [:swaps=N] [:off-boundary=density|remaining|half]",
    ),
    (
        "dsscsp",
        "P from all solutions, or from N random ones, found by DSScsp; [:solutions=N] [:depth=N] \
         [:subset=descents|walk] [:off-boundary=density|remaining|half]",
    ),
    (
        "components",
        "P from all solutions, counted by component; [:off-boundary=density|remaining|half]",
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
            "dsscsp" => Engine::Tree(TreeSearch::Dsscsp(Traversal::COMPLETE)),
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
    fn name(&self) -> &'static str {
        match self {
            Self::Solutions {
                engine: Engine::Tree(TreeSearch::Backtracking(_)),
                ..
            } => "backtracking",
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
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        let Self::Solutions {
            engine,
            off_boundary,
        } = self
        else {
            return Ok(());
        };
        if let Engine::Tree(search) = engine {
            search.list(list)?;
        }
        list.text("off-boundary", off_boundary, "density, remaining or half")
    }
}

impl Options for TreeSearch {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        let (mut limits, mut walks) = match *self {
            Self::Backtracking(limits) => (limits, true),
            Self::Dsscsp(limits) => (limits, !limits.is_complete()),
            Self::Descents(Subset { solutions, depth }) => (
                Traversal {
                    max_solutions: Some(solutions),
                    max_edges: depth,
                },
                false,
            ),
        };
        list.optional("solutions", &mut limits.max_solutions, 1..)?;
        if let Self::Backtracking(walk) = self {
            list.optional("swaps", &mut limits.max_edges, 1..)?;
            *walk = limits;
            return Ok(());
        }
        list.optional("depth", &mut limits.max_edges, 1..)?;
        list.choice("subset", &mut walks, &[("descents", false), ("walk", true)])?;
        *self = match (walks, limits) {
            (true, limits) | (false, limits @ Traversal::COMPLETE) => Self::Dsscsp(limits),
            (
                false,
                Traversal {
                    max_solutions: Some(solutions),
                    max_edges: depth,
                },
            ) => Self::Descents(Subset { solutions, depth }),
            (
                false,
                Traversal {
                    max_solutions: None,
                    ..
                },
            ) => {
                return Err(list.missing("solutions", "a whole number from 1"));
            }
        };
        Ok(())
    }
}

/// Formats the source as the shortest text that parses to it.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::usual(self.name()).expect("every source has a name");
        write!(f, "{}{}", self.name(), changes(self, &usual))
    }
}
