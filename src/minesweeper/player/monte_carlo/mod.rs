//! Choosers that evaluate guesses by playouts on layouts drawn from the posterior: by tree search (SP-MCTS), or by sampling the feasible
//! cells of a stochastic constraint network (MAC-UCB).
//!
//! The layout of each playout is drawn at the root. The tree's nodes are histories of opened cells and what they showed, so that moves
//! depend only on what a player can know. Cells that single numbers prove safe are opened at once.

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

/// The default number of playouts per guess.
pub(super) const PLAYOUTS: u64 = 1000;

/// Lists the option for the number of playouts per guess. With the maximum of a million playouts, a search tree takes about a gigabyte.
pub(super) fn list_playouts(
    playouts: &mut u64,
    list: &mut OptionList<'_, '_>,
) -> Result<(), OptionError> {
    list.number("playouts", playouts, 1..=1_000_000)
}
