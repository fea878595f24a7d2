//! Players of games by their rule sheets: UCT for several players, MAC-UCB and FC-UCB.
//!
//! Rewards are goals by 100, in 0..1. The tree of `search` is one of a single player's moves; here all roles may move at
//! once, so that a state keeps statistics of each role's own actions.

mod arms;
mod explored;
mod mac_ucb;
mod table;
mod uct;

use std::time::Duration;

use cpu_time::ThreadTime;

pub use explored::Explored;
pub use mac_ucb::{MacUcb, MacUcbEffort, MacUcbSettings};
pub use table::Table;
pub use uct::Uct;

use super::propnet::State;
use crate::rng::Rng;

/// How long a player may deliberate over a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// CPU time of the thread.
    Time(Duration),
    /// Play-outs.
    Samples(u64),
}

/// A budget that is being spent.
pub(super) struct Spending {
    budget: Budget,
    start: ThreadTime,
    pub(super) samples: u64,
}

impl Spending {
    fn new(budget: Budget) -> Self {
        Self { budget, start: ThreadTime::now(), samples: 0 }
    }

    fn is_over(&self) -> bool {
        match self.budget {
            Budget::Time(limit) => self.start.elapsed() >= limit,
            Budget::Samples(limit) => self.samples >= limit,
        }
    }
}

/// A player of one role at a time. What it learns about states serves the later moves of the match.
pub trait Player {
    /// The action to take in a state that is not terminal.
    fn choose(&mut self, state: &State, role: usize, budget: Budget, explored: &mut Explored, rng: &mut Rng) -> usize;
}
