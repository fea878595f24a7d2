//! Players of games by their rule sheets: UCT for several players, MAC-UCB and FC-UCB.
//!
//! Rewards are goals divided by 100, in 0..=1. Unlike in the single-player tree of
//! `mineflow_search`, all roles may move simultaneously, and a state stores statistics of each
//! role's own actions.

mod arms;
mod explored;
mod mac_ucb;
mod recipe;
mod uct;
mod walk;

use std::{fmt, time::Duration};

pub use explored::Explored;
pub(super) use explored::combine;
pub use mac_ucb::{MacUcbPlayer, MacUcbSettings, StageNetwork};
pub use recipe::{Algorithm, PlayerRecipe};
pub use uct::{UctPlayer, UctSettings};
pub use walk::GameWalk;

use super::state::GameState;
use mineflow_rng::Rng;
use mineflow_search::Budget;

/// The budget of a player for one move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveBudget {
    /// CPU time of the thread.
    Time(Duration),
    Playouts(u64),
}

/// Formats the budget in the form in which it is typed: `500ms`, `10000it`.
impl fmt::Display for MoveBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Time(time) => write!(f, "{}ms", time.as_secs_f64() * 1000.0),
            Self::Playouts(playouts) => write!(f, "{playouts}it"),
        }
    }
}

/// Statistics of deliberations.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct PlayerEffort {
    /// The number of deliberated moves.
    pub moves: u64,
    pub samples: u64,
    /// The number of samples that ended in a state whose value was in the cache of explored leaves.
    pub explored: u64,
    pub stages_solved: u64,
    /// The CPU time spent on solving stages.
    pub solving: Duration,
    /// The number of arms cut by exact values.
    pub certain_cuts: u64,
    /// The number of arms cut by confidence bounds.
    pub confidence_cuts: u64,
}

impl PlayerEffort {
    /// Returns the difference from the earlier statistics `before`.
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

/// Adds `factor` times each of `values` to `sums`.
pub(super) fn add_scaled(sums: &mut [f64], factor: f64, values: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += factor * value;
    }
}

/// A player of one role at a time. The player uses what it learns about states in its later moves.
pub trait GdlPlayer {
    /// Returns the action to take in a nonterminal state.
    fn choose(
        &mut self,
        state: &GameState,
        role: usize,
        budget: MoveBudget,
        explored: &mut Explored,
        rng: &mut Rng,
    ) -> usize;

    /// Returns the statistics of all deliberations since the player was built.
    fn effort(&self) -> PlayerEffort;
}
