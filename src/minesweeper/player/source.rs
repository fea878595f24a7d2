//! Where a recipe takes mine probabilities from.

use std::fmt;

use super::syntax::{PartText, RecipeError};
use crate::solver::{Subset, Traversal};
use mineflow_store::named;

/// Where the probability of every covered cell comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The paper's P (main paper, equation 3): every solution of `A M = N` weighs the same.
    Solutions { engine: Engine, off_boundary: OffBoundary },
    /// The true posterior: every layout of exactly the board's mines weighs the same.
    Posterior,
}

/// How the solutions of `A M = N` are gone through (main paper, section 4.1). All give the same P when unlimited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// A search tree over the whole system.
    Tree(TreeSearch),
    /// Counting component by component (second paper, heuristic 5).
    Components,
}

/// Which search tree, and how much of it is seen. A search that does not see all gives an estimate and proves nothing.
/// In a walk, edges are the "swaps" of backtracking and the "depth" of DSScsp (main paper, section 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    ("components", "the same P counted component by component; [:off-boundary=density|remaining|half]"),
    ("posterior", "the true probability given the number of mines on the board"),
];

impl Source {
    /// The source that `part` names, if it names one.
    pub(super) fn read(part: &mut PartText<'_>) -> Result<Option<Self>, RecipeError> {
        let engine = match part.name() {
            "backtracking" => {
                let [max_solutions, max_edges] = read_limits(part, "swaps")?;
                Engine::Tree(TreeSearch::Backtracking(Traversal { max_solutions, max_edges }))
            }
            "dsscsp" => Engine::Tree(read_dsscsp(part)?),
            "components" => Engine::Components,
            "posterior" => return Ok(Some(Self::Posterior)),
            _ => return Ok(None),
        };
        let off_boundary = part.take("off-boundary", "density, remaining or half", |value| value.parse().ok())?;
        Ok(Some(Self::Solutions { engine, off_boundary: off_boundary.unwrap_or_default() }))
    }
}

fn read_dsscsp(part: &mut PartText<'_>) -> Result<TreeSearch, RecipeError> {
    let [solutions, depth] = read_limits(part, "depth")?;
    let walks = part.take("subset", "descents or walk", |value| match value {
        "descents" => Some(false),
        "walk" => Some(true),
        _ => None,
    })?;
    match (walks.unwrap_or(false), solutions, depth) {
        (true, max_solutions, max_edges) => Ok(TreeSearch::Dsscsp(Traversal { max_solutions, max_edges })),
        (false, Some(solutions), depth) => Ok(TreeSearch::Descents(Subset { solutions, depth })),
        (false, None, None) => Ok(TreeSearch::Dsscsp(Traversal::COMPLETE)),
        (false, None, Some(_)) => {
            Err(RecipeError::OptionMissing { part: "dsscsp", option: "solutions", expected: "a whole number from 1" })
        }
    }
}

/// The limit of solutions, and that of `edges`.
fn read_limits(part: &mut PartText<'_>, edges: &'static str) -> Result<[Option<u64>; 2], RecipeError> {
    let at_least_one = |value: &str| value.parse().ok().filter(|&n| n > 0);
    let mut read = |option| part.take(option, "a whole number from 1", at_least_one);
    Ok([read("solutions")?, read(edges)?])
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Solutions { engine, off_boundary } = self else {
            return f.write_str("posterior");
        };
        match engine {
            Engine::Tree(TreeSearch::Backtracking(limits)) => {
                f.write_str("backtracking")?;
                write_limits(f, [("solutions", limits.max_solutions), ("swaps", limits.max_edges)])?;
            }
            Engine::Tree(TreeSearch::Dsscsp(limits)) => {
                f.write_str("dsscsp")?;
                write_limits(f, [("solutions", limits.max_solutions), ("depth", limits.max_edges)])?;
                if !limits.is_complete() {
                    f.write_str(":subset=walk")?;
                }
            }
            Engine::Tree(TreeSearch::Descents(subset)) => {
                f.write_str("dsscsp")?;
                write_limits(f, [("solutions", Some(subset.solutions)), ("depth", subset.depth)])?;
            }
            Engine::Components => f.write_str("components")?,
        }
        match off_boundary {
            OffBoundary::Density => Ok(()),
            other => write!(f, ":off-boundary={}", other.name()),
        }
    }
}

fn write_limits(f: &mut fmt::Formatter<'_>, limits: [(&str, Option<u64>); 2]) -> fmt::Result {
    for (option, limit) in limits {
        if let Some(limit) = limit {
            write!(f, ":{option}={limit}")?;
        }
    }
    Ok(())
}
