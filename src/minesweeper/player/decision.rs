//! What a player is asked, and what it answers.

use super::weights::Weights;
use crate::features::Position;
use crate::solver::{Budget, Contradiction, CountError, Exhausted};
use crate::{Board, Cell, FirstClick, View};
use mineflow_rng::Seed;

/// What a player knows before the first move of a game.
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

/// Which cells to open, and why. It borrows from the player alone, so that the game can go on meanwhile.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// Several only if all are proved safe, else one.
    pub cells: &'a [Cell],
    pub reason: Reason,
    /// What a guess or first click was chosen from. `None` from players that don't weigh every cell, after a first click
    /// that is always the same, and where the cells are proved safe.
    pub weights: Option<&'a Weights>,
}

impl<'a> Decision<'a> {
    /// A decision for which nothing was weighed.
    pub const fn new(reason: Reason, cells: &'a [Cell]) -> Self {
        Self {
            cells,
            reason,
            weights: None,
        }
    }

    /// What was weighed, with the view that was decided on.
    pub fn position(&self, view: &'a View) -> Option<Position<'a>> {
        self.weights.map(|weights| weights.position(view))
    }
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

    /// Decides which cells to open next. They are covered cells of `view`; the referee opens them in their order and passes
    /// over those that opened meanwhile.
    ///
    /// # Errors
    /// Why there is no move.
    fn decide(&mut self, view: &View, budget: &mut Budget) -> Result<Decision<'_>, NoMove>;
}
