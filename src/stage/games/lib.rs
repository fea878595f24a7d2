//! The stages of SameGame and of games by their rule sheets: `samegame eval`, `samegame tune`, `ggp match`.
//!
//! They take settings and a context, play by the crates of these games, and write tables. They know nothing of Minesweeper players.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Only for the program.
#![doc(hidden)]

pub mod ggp;
pub mod ggp_agree;
pub mod ggp_fault;
pub mod ggp_game;
pub mod ggp_match;
pub mod samegame;
