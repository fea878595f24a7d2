//! Players: from a view to the next cells to open.
//!
//! A player is a line in [`versions`], its recipe the parts it is made of: what it deduces, where its probabilities
//! come from ([`Source`]), which cell it takes ([`choose`]). A new rule is a file and a line.

mod agent;
pub mod choose;
mod first_move;
mod monte_carlo;
mod recipe;
mod recipe_player;
mod source;
mod spec;
mod swap;
mod syntax;
mod tree_walker;
mod versions;
mod weights;

pub use agent::Agent;
pub use first_move::FirstMove;
pub use monte_carlo::{GuessStage, Risk, SearchBudget, SearchOptions, StageOptions, StageQuestion};
pub use recipe::{Deduction, Recipe, Steps, parts};
pub use recipe_player::RecipePlayer;
pub use source::{Engine, OffBoundary, Source, TreeSearch};
pub use spec::PlayerSpec;
pub use swap::Swap;
pub use syntax::RecipeError;
pub use versions::{Version, versions};

use crate::minesweeper::features::Position;
use crate::minesweeper::solver::{Budget, Contradiction, CountError, Exhausted};
use crate::minesweeper::{Board, Cell, FirstClick, View};
use crate::rng::Seed;

/// What a player is told before the first move of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameStart {
    pub board: Board,
    pub first_click: FirstClick,
    /// For the player's own random choices; says nothing of the mines.
    pub seed: Seed,
}

/// Why the cells of a decision were chosen.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The first click of a game, nothing being known.
    FirstClick,
    /// Every cell is proved to be safe.
    Certain,
    /// One cell that may be a mine.
    Guess,
}

/// Why a player gave no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMove {
    /// The game's budget is used up; the game counts as lost by time-out.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The position is beyond the solver's own set limits; counted like a time-out.
    #[error("{0}")]
    TooHard(String),
    /// The open numbers contradict each other, which no game can show.
    #[error("the position contradicts itself: no layout of the mines fits the open numbers")]
    Contradiction,
}

impl From<Contradiction> for NoMove {
    fn from(_: Contradiction) -> Self {
        Self::Contradiction
    }
}

impl From<CountError> for NoMove {
    fn from(error: CountError) -> Self {
        match error {
            CountError::Contradiction(_) => Self::Contradiction,
            CountError::TooHard { .. } => Self::TooHard(error.to_string()),
            CountError::Exhausted(exhausted) => Self::Exhausted(exhausted),
        }
    }
}

/// Something that plays Minesweeper. It sees a [`View`], never the mines.
pub trait Player: Send {
    /// Forgets the last game. Called before the first decision of each.
    fn begin(&mut self, game: &GameStart);

    /// Puts the cells to open next into `moves`, which comes empty: several if all are proved safe, else one. They are
    /// covered cells of `view`; the referee opens them in this order and passes over those that opened meanwhile.
    fn decide(&mut self, view: &View, budget: &mut Budget, moves: &mut Vec<Cell>) -> Result<Reason, NoMove>;

    /// What the last guess or first click was chosen from, for those who learn from games; `view` is as it was then.
    /// `None` from players that don't weigh every cell, and after a first click that is always the same.
    fn position<'a>(&'a self, _view: &'a View) -> Option<Position<'a>> {
        None
    }
}
