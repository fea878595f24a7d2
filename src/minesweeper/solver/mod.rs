//! Exact reasoning over a [`View`](crate::minesweeper::View): which covered cells are safe, which are mines, and how
//! likely each is a mine.

mod analysis;
mod backtracking;
mod budget;
mod counting;
mod deduction;
mod descents;
mod dss;
mod dsscsp;
mod elimination;
mod enumeration;
mod forward_checking;
mod frontier;
mod layouts;
mod number;
mod probabilities;
mod product_tree;
mod solve;
mod system;
mod tree;

pub use analysis::Analysis;
pub use backtracking::Backtracking;
pub use budget::{Budget, Exhausted};
pub use descents::Subset;
pub use dss::Dss;
pub use dsscsp::Dsscsp;
pub use enumeration::{Enumeration, Traversal};
pub use forward_checking::ForwardChecking;
pub use layouts::{Drawn, Layouts};
pub use probabilities::{Probabilities, Weighting};
pub use solve::{Solution, Solver};
pub use system::System;

/// The open numbers contradict each other or the number of mines: no layout fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the position contradicts itself: no layout of the mines fits the open numbers")]
pub struct Contradiction;

/// Why layouts were not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountError {
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// A set limit on memory was met, whatever the budget.
    #[error("a connected part of {cells} covered cells is too entangled to count its layouts")]
    TooHard { cells: usize },
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}
