//! SameGame: sets of boards, and series of algorithms on them.

mod boards;
mod budget;
pub mod eval;
mod record;
pub mod speed;
pub mod tune;

pub use boards::{BoardSet, read_puzzles};
pub use budget::BudgetText;
