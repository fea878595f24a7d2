//! Exact reasoning over a [`View`](crate::minesweeper::View): which covered cells are safe, which are mines, and how
//! likely each is a mine.

mod budget;

pub use budget::{Budget, Exhausted};
