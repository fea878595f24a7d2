//! Tests of games from their rule sheets.

mod agreement;
#[path = "../files.rs"]
mod files;
mod ggp;
mod ggp_agreement;
mod ggp_players;
