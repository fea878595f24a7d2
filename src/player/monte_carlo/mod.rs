//! Guesses by Monte-Carlo tree search (SP-MCTS or UCT) over layouts drawn from the true posterior.
//!
//! The layout of each play-out is drawn at the root, and the tree's nodes are histories of cells and of what opening
//! them showed, so that moves are chosen by what a player can know. Whatever single numbers prove is opened at once.

mod guess;
mod play_out;
mod search_options;
mod simulation;

pub use guess::Risk;
pub use search_options::{SearchBudget, SearchOptions};
