//! Where a recipe takes mine probabilities from.

use std::fmt;

use crate::solver::{Subset, Traversal};
use mineflow_search::options::{OptionError, OptionList, Options, changes};
use mineflow_store::named;

/// Where the probability of every covered cell comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// The paper's P (main paper, equation 3): every solution of `A M = N` weighs the same.
    Solutions {
        engine: Engine,
        off_boundary: OffBoundary,
    },
    /// The true posterior: every layout of exactly the board's mines weighs the same.
    Posterior,
}

/// How the solutions of `A M = N` are gone through (main paper, section 4.1). All give the same P when unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Engine {
    /// A search tree over the whole system.
    Tree(TreeSearch),
    /// Counting component by component (second paper, heuristic 5).
    Components,
}

/// Which search tree, and how much of it is seen. A search that does not see all gives an estimate and proves nothing.
/// In a walk, edges are the "swaps" of backtracking and the "depth" of DSScsp (main paper, section 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TreeSearch {
    /// A walk through the tree of simple backtracking.
    Backtracking(Traversal),
    /// A walk through the tree of DSScsp, algorithm 3.
    Dsscsp(Traversal),
    /// Random descents in the tree of DSScsp.
    Descents(Subset),
}

/// The probability of covered cells that no open number touches, of which the main paper's equation 3 says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum OffBoundary {
    /// Mines per cell of the whole board (second paper, section 4.2.3).
    #[default]
    Density,
    /// Mines not found yet per cell not known to be one: `(m - f) / l` of equation 4.
    Remaining,
    /// 0.5 (main paper, section 4.2.2).
    Half,
}

impl TreeSearch {
    /// Whether every solution is seen, whatever the position.
    pub const fn is_complete(self) -> bool {
        match self {
            Self::Backtracking(limits) | Self::Dsscsp(limits) => limits.is_complete(),
            Self::Descents(_) => false,
        }
    }
}

named!(OffBoundary, "probability off the boundary": Density = "density", Remaining = "remaining", Half = "half");

/// Name and one line of help for each source.
pub(super) const SOURCES: [(&str, &str); 4] = [
    (
        "backtracking",
        "P by backtracking over all solutions; [:solutions=N] [:swaps=N] [:off-boundary=density|remaining|half]",
    ),
    (
        "dsscsp",
        "P by DSScsp over all solutions, or over N drawn at random; [:solutions=N] [:depth=N] \
         [:subset=descents|walk] [:off-boundary=density|remaining|half]",
    ),
    (
        "components",
        "the same P counted component by component; [:off-boundary=density|remaining|half]",
    ),
    (
        "posterior",
        "the true probability given the number of mines on the board",
    ),
];

impl Source {
    /// The source of a name, without limits.
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

    /// Its name in a recipe.
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

/// The shortest text of the same source.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::usual(self.name()).expect("every source has a name");
        write!(f, "{}{}", self.name(), changes(self, &usual))
    }
}
