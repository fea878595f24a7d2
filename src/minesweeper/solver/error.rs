//! The reasons why a position can't be solved.

use super::budget::Exhausted;

/// The open numbers contradict each other or the number of mines: no layout is consistent with
/// them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the position contradicts itself: no layout of the mines fits the open numbers")]
pub struct Contradiction;

/// The reasons why layouts were not counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountError {
    #[error(transparent)]
    Contradiction(#[from] Contradiction),
    /// The counts exceed the memory limit of the budget or a fixed limit, or more than 64
    /// constraints are open at once in every elimination order tried. The latter happens on no
    /// board with a side of at most 30 cells.
    #[error(
        "a connected part of {cells} covered cells is too entangled to count its layouts in the memory allowed"
    )]
    TooHard { cells: usize },
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
}
