//! Programs that play and learn Minesweeper.
//!
//! The folders are the architecture, lowest first; each imports only what stands above it here:
//!
//! - [`rng`]: named seeds and the generator
//! - [`minesweeper`]: the rules: board, minefield (the truth), view (what a player may know), game (the referee), files
//! - [`solver`]: exact reasoning over a view
//! - [`model`]: trained models as files, evaluated with no training crate
//! - [`player`]: from a view to the next move; the table of versions
//! - [`arena`]: many games in parallel, statistics, folders that can be resumed
//! - [`stage`]: what the command line calls: series of games and their tables
//! - [`cli`]: the command line

pub mod arena;
pub mod cli;
pub mod minesweeper;
pub mod model;
pub mod player;
pub mod rng;
pub mod solver;
pub mod stage;
