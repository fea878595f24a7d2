//! Where a recipe takes mine probabilities from.

use std::fmt;

use super::syntax::{PartText, RecipeError};
use crate::solver::Traversal;

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
    /// Walking a search tree over the whole system.
    Walk(Walk),
    /// Counting component by component (second paper, heuristic 5).
    Components,
}

/// A search tree, and how far it is walked. A walk that ends at a limit gives an estimate and proves nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Walk {
    pub tree: Tree,
    /// The edges of the tree are the "swaps" of backtracking and the "depth" of DSScsp (main paper, section 5.1).
    pub limits: Traversal,
}

/// The search trees of the main paper (section 4.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tree {
    /// Simple backtracking.
    Backtracking,
    /// DSScsp, algorithm 3.
    Dsscsp,
}

/// The probability of covered cells that no open number touches, of which the main paper's equation 3 says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum OffBoundary {
    /// Mines per cell of the whole board (second paper, section 4.2.3).
    #[default]
    Density,
    /// 0.5 (main paper, section 4.2.2).
    Half,
}

/// Name and one line of help for each source.
pub(super) const SOURCES: [(&str, &str); 4] = [
    ("backtracking", "P by backtracking over all solutions; [:solutions=N] [:swaps=N] [:off-boundary=density|half]"),
    ("dsscsp", "P by DSScsp over all solutions; [:solutions=N] [:depth=N] [:off-boundary=density|half]"),
    ("components", "the same P counted component by component; [:off-boundary=density|half]"),
    ("posterior", "the true probability given the number of mines on the board"),
];

impl Source {
    /// The source that `part` names, if it names one.
    pub(super) fn read(part: &mut PartText<'_>) -> Result<Option<Self>, RecipeError> {
        let engine = match part.name() {
            "backtracking" => Engine::Walk(Walk { tree: Tree::Backtracking, limits: read_limits(part, "swaps")? }),
            "dsscsp" => Engine::Walk(Walk { tree: Tree::Dsscsp, limits: read_limits(part, "depth")? }),
            "components" => Engine::Components,
            "posterior" => return Ok(Some(Self::Posterior)),
            _ => return Ok(None),
        };
        let off_boundary = part.take("off-boundary", "density or half", |value| match value {
            "density" => Some(OffBoundary::Density),
            "half" => Some(OffBoundary::Half),
            _ => None,
        })?;
        Ok(Some(Self::Solutions { engine, off_boundary: off_boundary.unwrap_or_default() }))
    }
}

fn read_limits(part: &mut PartText<'_>, edges: &'static str) -> Result<Traversal, RecipeError> {
    let at_least_one = |value: &str| value.parse().ok().filter(|&n| n > 0);
    let mut read = |option| part.take(option, "a whole number from 1", at_least_one);
    Ok(Traversal { max_solutions: read("solutions")?, max_edges: read(edges)? })
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Solutions { engine, off_boundary } = self else {
            return f.write_str("posterior");
        };
        match engine {
            Engine::Walk(Walk { tree: Tree::Backtracking, limits }) => write_walk(f, "backtracking", "swaps", limits)?,
            Engine::Walk(Walk { tree: Tree::Dsscsp, limits }) => write_walk(f, "dsscsp", "depth", limits)?,
            Engine::Components => f.write_str("components")?,
        }
        match off_boundary {
            OffBoundary::Density => Ok(()),
            OffBoundary::Half => f.write_str(":off-boundary=half"),
        }
    }
}

fn write_walk(f: &mut fmt::Formatter<'_>, name: &str, edges: &str, limits: &Traversal) -> fmt::Result {
    f.write_str(name)?;
    for (option, limit) in [("solutions", limits.max_solutions), (edges, limits.max_edges)] {
        if let Some(limit) = limit {
            write!(f, ":{option}={limit}")?;
        }
    }
    Ok(())
}
