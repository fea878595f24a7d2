//! Tests of series of games.

#[path = "../files.rs"]
mod files;
mod ggp_matches;
#[path = "../gdl/orchard.rs"]
mod orchard;
#[path = "../unfinish.rs"]
mod unfinish;
