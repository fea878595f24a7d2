//! Why a position has no answer.

use super::budget::Exhausted;

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
