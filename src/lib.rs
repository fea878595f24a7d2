//! Programs that play and learn Minesweeper.
//!
//! The folders are the architecture, lowest first; each imports only what stands above it here:
//!
//! - [`rng`]: named seeds and the generator
//! - [`store`]: what lies on disk: whole-file writes, journals, folders that record themselves
//! - [`document`]: pages for people: numbers, tables, charts, HTML, Markdown
//! - [`search`]: search that names no game: Monte-Carlo trees, cross entropy, stochastic constraint networks
//! - [`learn`]: rows, training, and trained models as files, evaluated with no training crate
//! - [`minesweeper`]: the rules; in its folders the exact solver, features, players, arena and the game for a person
//! - [`samegame`]: SameGame: boards, play-outs, searches, files of boards
//! - [`gdl`]: games by their rule sheets: reading, grounding, play-outs, players
//! - [`stage`]: what the command line calls: series of games and their tables
//! - `cli`: the command line (feature `cli`)

pub mod arena;
#[cfg(feature = "cli")]
pub mod cli;
pub mod document;
pub mod gdl;
pub mod learn;
pub mod minesweeper;
pub mod rng;
pub mod samegame;
pub mod search;
pub mod stage;
pub mod store;
