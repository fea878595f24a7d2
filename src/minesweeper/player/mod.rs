//! Players: they map a view to the next cells to open.
//!
//! A named player is a line in [`versions`] with a name and a recipe. The recipe lists the player's
//! components: what it deduces, the [`Source`] of its probabilities, and the rule by which it
//! [chooses](choose) a cell.

mod agent;
pub mod choose;
mod decision;
mod estimator;
mod first_move;
mod luck;
mod monte_carlo;
#[cfg_attr(not(unix), path = "no_pipe.rs")]
mod pipe;
mod program;
pub mod protocol;
mod recipe;
mod recipe_error;
mod recipe_player;
mod seat;
mod signature;
mod source;
mod spec;
mod tree_walker;
mod versions;
mod weights;

pub use agent::Agent;
pub use decision::{Decision, GameStart, NoMove, Player, Reason};
pub use first_move::FirstMove;
pub use luck::{ChordValues, Foresight, Luck, Outcomes, ValueModel};
pub use pipe::end_programs;
pub use program::{EXEC, Program};
pub use recipe::{Deduction, Recipe, Steps, parts};
pub(crate) use recipe::{ENDGAME, EVEN_FIRST};
pub use recipe_error::RecipeError;
pub use recipe_player::RecipePlayer;
pub use seat::{Fault, GameEnd, Limits, Outcome, Seat, board_seed, open_all};
#[doc(hidden)]
pub use signature::{SignedGames, signed_games};
pub use source::{Engine, OffBoundary, Source, TreeSearch};
pub use spec::PlayerSpec;
pub use versions::{Version, versions};
pub use weights::Weights;
