//! Programs that play and learn Minesweeper.
//!
//! The folders are the architecture, lowest first; each imports only what stands above it here:
//!
//! - [`rng`]: named seeds and the generator
//! - [`minesweeper`]: the rules: board, minefield (the truth), view (what a player may know), game (the referee), files
//! - [`solver`]: exact reasoning over a view
//! - [`search`]: Monte-Carlo tree search that names no game
//! - [`samegame`]: SameGame: boards, play-outs, searches, files of boards
//! - [`scsp`]: stochastic constraint networks and their solving
//! - [`ggp`]: games by their rule sheets: reading, grounding, play-outs
//! - [`features`]: from what a player weighs to the numbers that a model reads
//! - [`model`]: trained models as files, evaluated with no training crate
//! - [`player`]: from a view to the next move; the table of versions
//! - `data`: rows to learn from: tables, Parquet files, manifests (cargo feature `data`)
//! - [`arena`]: many games in parallel, statistics, folders that can be resumed
//! - [`play`]: a game that a person plays, with players to ask
//! - `train`: from tables to artifacts (cargo feature `train`)
//! - [`report`]: from tables to pages: plots, HTML, Markdown
//! - [`stage`]: what the command line calls: series of games and their tables
//! - [`cli`]: the command line

pub mod arena;
pub mod cli;
#[cfg(feature = "data")]
pub mod data;
pub mod features;
pub mod ggp;
pub mod minesweeper;
pub mod model;
pub mod play;
pub mod player;
pub mod report;
pub mod rng;
pub mod samegame;
pub mod scsp;
pub mod search;
pub mod solver;
pub mod stage;
#[cfg(feature = "train")]
pub mod train;
