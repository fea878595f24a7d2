//! Players of games by their rule sheets: UCT for several players, MAC-UCB and FC-UCB.
//!
//! Rewards are goals by 100, in 0..1. The tree of `search` is one of a single player's moves; here all roles may move at
//! once, so that a state keeps statistics of each role's own actions.

mod arms;
mod batches;
mod explored;
mod mac_ucb;
mod recipe;
mod uct;
mod walk;

use std::fmt;
use std::time::Duration;

pub use batches::Batches;
pub use explored::Explored;
pub use mac_ucb::{MacUcbPlayer, MacUcbSettings, StageNetwork};
pub use recipe::{Algorithm, PlayerRecipe, RecipeError};
pub use uct::{UctPlayer, UctSettings};
pub use walk::GameWalk;

use super::state::GameState;
use mineflow_rng::Rng;
use mineflow_search::Budget;

/// How long a player may deliberate over a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MoveBudget {
    /// CPU time of the thread.
    Time(Duration),
    Playouts(u64),
}

/// As it is typed: `500ms`, `10000it`.
impl fmt::Display for MoveBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "{}ms", time.as_secs_f64() * 1000.0),
            Self::Playouts(playouts) => write!(f, "{playouts}it"),
        }
    }
}

/// What deliberations took, to be reported.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct PlayerEffort {
    /// Moves that were deliberated over.
    pub moves: u64,
    pub samples: u64,
    /// Samples that ended in a state of the cache of explored leaves.
    pub explored: u64,
    pub stages_solved: u64,
    /// CPU time in the solver.
    pub solving: Duration,
    /// Arms that a cut removed, for certain and by confidence.
    pub certain_cuts: u64,
    pub confidence_cuts: u64,
}

impl PlayerEffort {
    /// What came after `before`.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        Self {
            moves: self.moves - before.moves,
            samples: self.samples - before.samples,
            explored: self.explored - before.explored,
            stages_solved: self.stages_solved - before.stages_solved,
            solving: self.solving - before.solving,
            certain_cuts: self.certain_cuts - before.certain_cuts,
            confidence_cuts: self.confidence_cuts - before.confidence_cuts,
        }
    }
}

impl From<MoveBudget> for Budget {
    fn from(budget: MoveBudget) -> Self {
        match budget {
            MoveBudget::Time(time) => Self::time(time),
            MoveBudget::Playouts(playouts) => Self::playouts(playouts),
        }
    }
}

/// A player of one role at a time. What it learns about states serves its later moves.
pub trait GdlPlayer {
    /// The action to take in a state that is not terminal.
    fn choose(
        &mut self,
        state: &GameState,
        role: usize,
        budget: MoveBudget,
        explored: &mut Explored,
        rng: &mut Rng,
    ) -> usize;

    /// What all deliberations so far took.
    fn effort(&self) -> PlayerEffort;
}
