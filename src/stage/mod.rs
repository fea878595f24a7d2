//! What the command line calls: series of games, their tables, their folders.

pub mod bench;
pub mod compare;
pub mod eval;
#[cfg(feature = "data")]
pub mod generate;
pub mod models;
mod series;

pub use series::{Engine, Series};
