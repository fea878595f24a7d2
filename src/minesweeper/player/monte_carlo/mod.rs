//! Guesses by playouts over layouts drawn from the true posterior: by tree search (SP-MCTS), or by sampling the cells that a stochastic
//! constraint network leaves (MAC-UCB).
//!
//! The layout of each playout is drawn at the root, and the tree's nodes are histories of cells and of what opening
//! them showed, so that moves are chosen by what a player can know. Whatever single numbers prove is opened at once.

mod arm;
mod guess_game;
mod mac_ucb;
mod next_stage;
mod playout;
mod search_chooser;
mod simulation;
mod stage;

use mineflow_search::options::{OptionError, OptionList};

pub(super) use mac_ucb::StageChooser;
pub(super) use search_chooser::SearchChooser;
pub use stage::{GuessStage, StageQuestion};

/// Playouts of a guess, where none are given.
pub(super) const PLAYOUTS: u64 = 1000;

/// Lists the playouts of a guess. A tree of the most takes about a gigabyte.
pub(super) fn list_playouts(
    playouts: &mut u64,
    list: &mut OptionList<'_, '_>,
) -> Result<(), OptionError> {
    list.number("playouts", playouts, 1..=1_000_000)
}
