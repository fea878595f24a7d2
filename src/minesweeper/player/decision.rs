//! The interface of a player: the input of a decision and its result.

use super::{Fault, GameEnd, weights::Weights};
use crate::{
    Board, Cell, FirstClick, MoveError, View,
    features::Position,
    solver::{Budget, Contradiction, CountError, Exhausted},
};
use mineflow_rng::Seed;

/// The information that a player gets before the first move of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameStart {
    pub board: Board,
    pub first_click: FirstClick,
    /// The seed of the player's own random choices. It is independent of the mines.
    pub seed: Seed,
}

/// The reason for choosing the cells of a decision.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reason {
    /// The cell is the first click of a game.
    FirstClick,
    /// Every cell of the decision is proved safe.
    Certain,
    /// The only cell of the decision may be a mine. Several cells are those that a program holds to
    /// be safe, without proof.
    Guess,
}

/// The cells to open and the reason for choosing them. A decision borrows only from the player, and
/// thus the game can be changed while the decision is in use.
#[derive(Clone, Copy, Debug)]
pub struct Decision<'a> {
    /// The cells to open: several only if all are proved safe, or if a program holds them to be
    /// safe; otherwise one.
    pub cells: &'a [Cell],
    pub reason: Reason,
    /// The mine probabilities from which a guess or a first click was chosen. `None` if the player
    /// does not compute a probability for every cell, if the first click is fixed by a rule, or if
    /// the cells are proved safe.
    pub weights: Option<&'a Weights>,
    /// The component of the recipe that chose a guess; empty if no component did.
    pub by: &'static str,
    /// What a program says of its move; empty for other players.
    pub why: &'a str,
}

impl<'a> Decision<'a> {
    /// Creates a decision without weights.
    pub const fn new(reason: Reason, cells: &'a [Cell]) -> Self {
        Self {
            cells,
            reason,
            weights: None,
            by: "",
            why: "",
        }
    }

    /// Returns the weights combined with `view`, which must be the view of the decision, or `None`
    /// if the decision has no weights.
    pub fn position(&self, view: &'a View) -> Option<Position<'a>> {
        self.weights.map(|weights| weights.position(view))
    }
}

/// The reason why a player returned no move.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoMove {
    /// The game's budget is used up; the game counts as lost by time-out.
    #[error(transparent)]
    Exhausted(#[from] Exhausted),
    /// The position exceeds the solver's internal limits; the game counts as lost by time-out.
    #[error("{0}")]
    TooHard(String),
    /// The player is a program that has failed in too many games in a row.
    #[error("{0}")]
    Broken(String),
    /// The open numbers contradict each other, which cannot occur in a game.
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

/// A Minesweeper player. It sees a [`View`], never the mines.
pub trait Player: Send {
    /// Resets the player for a new game. The referee calls this method before the first decision of
    /// each game.
    fn begin(&mut self, game: &GameStart);

    /// Decides which covered cells of `view` to open next. The referee opens the cells in order and
    /// skips those that an earlier one of them has opened by a cascade.
    ///
    /// # Errors
    /// Returns the reason if the player finds no move.
    fn decide(&mut self, view: &View, budget: &mut Budget) -> Result<Decision<'_>, NoMove>;

    /// Prepares the next decision, which will be for `view`. Players that decide elsewhere can then
    /// work on several games at once.
    fn ask(&mut self, _view: &View) {}

    /// Ends the game. The referee of a series calls this method once a game is over. Returns the CPU
    /// seconds that the player has used in another process since the last call.
    fn end(&mut self, _: GameEnd) -> f64 {
        0.0
    }

    /// Decides as [`Player::decide`] does, and checks the first cell. Returns `None` if the player
    /// gives up: its budget is used up, or the position exceeds the solver's limits.
    ///
    /// # Errors
    /// Returns an error if the player gives no covered cell of the board, or finds that the
    /// position contradicts itself.
    fn decide_checked(
        &mut self,
        view: &View,
        budget: &mut Budget,
    ) -> Result<Option<Decision<'_>>, Fault> {
        let decision = match self.decide(view, budget) {
            Err(NoMove::Exhausted(_) | NoMove::TooHard(_)) => return Ok(None),
            Err(NoMove::Broken(why)) => return Err(Fault::Program(why)),
            decided => decided.map_err(Fault::Contradiction)?,
        };
        let &cell = decision.cells.first().ok_or(Fault::NoCell)?;
        MoveError::check(view, cell)?;
        Ok(Some(decision))
    }
}
