//! The stages that measure players of Minesweeper, and what else plays many of its games: `eval`, `compare`, `calibrate`, `bench`.
//!
//! They take players, boards and numbers of games, play in an arena, and write tables with intervals. They know nothing of training.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Only for the program.
#![doc(hidden)]

pub mod bench;
pub mod boards;
pub mod calibrate;
pub mod compare;
pub mod eval;
mod kept_games;
pub mod models;
pub mod optimum;
pub mod series;

pub use series::Engine;
