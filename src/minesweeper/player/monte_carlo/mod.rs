//! Guesses by playouts over layouts drawn from the true posterior: by tree search (SP-MCTS or UCT), or by sampling the
//! cells that a stochastic constraint network leaves (MAC-UCB and FC-UCB).
//!
//! The layout of each playout is drawn at the root, and the tree's nodes are histories of cells and of what opening
//! them showed, so that moves are chosen by what a player can know. Whatever single numbers prove is opened at once.

mod arm;
mod guess_game;
mod mac_ucb;
mod next_stage;
mod playout;
mod search_chooser;
mod search_options;
mod simulation;
mod stage;
mod stage_options;

pub use guess_game::Risk;
pub(super) use mac_ucb::StageChooser;
pub(super) use search_chooser::SearchChooser;
pub use search_options::{SearchBudget, SearchOptions};
pub use stage::{GuessStage, StageQuestion};
pub use stage_options::StageOptions;
