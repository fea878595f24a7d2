#![doc = include_str!("README.md")]
//!
//! The top level implements the rules of the game. The main modules, in order of dependency, are
//! [`solver`], [`ahead`], [`features`] and [`player`]. [`optimum`] computes optimal play on small
//! boards, and [`replay`] reads recorded games. `perfect` is the search that [`optimum`] shares
//! with the solver's endgames.
//!
//! The main types are [`Board`] (size and number of mines), [`Grid`] (the neighbours of every
//! cell), [`Minefield`] (the true layout of the mines), [`View`] (what a player sees) and [`Game`]
//! (the referee).
//!
//! ```
//! use mineflow_minesweeper::{Board, FirstClick, Game, Status};
//! use mineflow_rng::Seed;
//!
//! let board: Board = "beginner".parse().unwrap();
//! let mut game = Game::new(board, FirstClick::Safe);
//! game.start(Seed::new(1));
//! let corner = board.cell(0, 0).unwrap();
//! assert_ne!(game.open(corner).unwrap(), Status::Lost); // the first click is safe
//! println!("{}", game.view());
//! ```

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod ahead;
mod board;
#[doc(hidden)]
pub mod board_text;
mod cell_set;
pub mod features;
mod game;
mod grid;
#[doc(hidden)]
pub mod json_lines;
pub mod links;
pub mod mbf;
mod minefield;
pub mod no_guess;
pub mod optimum;
mod perfect;
#[doc(hidden)]
pub mod play;
pub mod player;
pub mod proof;
pub mod replay;
pub mod solver;
pub mod text;
mod view;

pub use board::{Board, BoardError, Cell, MAX_CELLS};
pub use cell_set::CellSet;
pub use game::{FirstClick, Game, MoveError, Status};
pub use grid::{AROUND, Grid};
pub use minefield::Minefield;
pub use view::{CellView, View};
