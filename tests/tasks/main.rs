//! Tests of tasks: series of games other than Minesweeper, and the rows of self-play.

#![allow(clippy::unwrap_used)]

#[cfg(feature = "train")]
mod feature_rows;
#[path = "../files.rs"]
mod files;
#[cfg(feature = "train")]
mod generate;
mod ggp_matches;
#[path = "../gdl/orchard.rs"]
mod orchard;
#[path = "../unfinish.rs"]
mod unfinish;
mod values;
