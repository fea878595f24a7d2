//! Tests of games from their rule sheets.

#[path = "../files.rs"]
mod files;
mod ggp;
mod agreement;
mod ggp_agreement;
mod ggp_players;
mod ggp_scsp;
