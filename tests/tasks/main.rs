//! Tests of tasks: series of games of other games than Minesweeper, and the rows that self-play makes.

#[cfg(feature = "data")]
mod feature_rows;
#[path = "../files.rs"]
mod files;
#[cfg(feature = "data")]
mod generate;
mod ggp_matches;
#[path = "../gdl/orchard.rs"]
mod orchard;
#[path = "../unfinish.rs"]
mod unfinish;
