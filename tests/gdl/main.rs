//! Tests of games from their rule sheets.

#![allow(clippy::unwrap_used)]

mod agreement;
mod exact;
#[path = "../files.rs"]
mod files;
mod ggp;
mod ggp_agreement;
mod ggp_players;
