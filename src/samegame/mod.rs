//! SameGame (SP-MCTS paper, section 2): boards, points, play-outs, files of boards.
//!
//! A group of two or more neighbours of one colour is removed for `(n - 2)^2` points; what lies above falls, and empty
//! columns close to the left. A cleared board is worth 1,000 points more; otherwise cells left are deducted.
//!
//! ```
//! use mineflow::samegame::{Board, Move, Puzzle};
//! let puzzle: Puzzle = "
//!     B.
//!     AB
//!     BB"
//! .parse()?;
//! let mut board: Board = puzzle.board();
//! assert_eq!(board.remove(Move { column: 0, row: 0 }), Some(3));
//! assert_eq!(board.remove(Move { column: 0, row: 0 }), None, "A under B: two cells, no group");
//! assert_eq!(board.ending(), 0);
//! # Ok::<(), mineflow::samegame::PuzzleError>(())
//! ```

mod algorithm;
mod beam;
mod bits;
mod board;
mod followed;
mod found;
mod greedy;
mod groups;
mod ida_star;
mod nested;
mod nrpa;
mod play_out;
mod position;
mod puzzle;
mod rules;
mod shape;
mod sp_mcts;
mod test_set;

pub use algorithm::{Algorithm, AlgorithmError};
pub use beam::{Beam, Worth};
pub use board::Board;
pub use found::{FinishedGame, SearchResult};
pub use greedy::Greedy;
pub use ida_star::{IdaStar, Optimality};
pub use nested::{Layers, Nested};
pub use nrpa::Nrpa;
pub use play_out::{Draw, Policy, Strategy, TabuFor};
pub use position::Position;
pub use puzzle::{Puzzle, PuzzleError};
pub use rules::{CLEARED, COLOURS, Group, Move, points};
pub use shape::{Large, Shape, Small};
pub use sp_mcts::SpMcts;
pub use test_set::{ScoredLine, TestSet, TestSetError};
