//! The stages of SameGame and of games by their rule sheets.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod ggp;
pub mod ggp_agree;
pub mod ggp_fault;
pub mod ggp_game;
pub mod ggp_ladder;
pub mod ggp_match;
pub mod ggp_table;
pub mod samegame;
