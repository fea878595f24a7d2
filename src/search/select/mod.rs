//! Selection rules, which determine the child to follow. Each rule is in a short file with its
//! equation.
//!
//! The value of a child is the sum of a term that depends on the child alone and a term that also
//! depends on the visits of its parent: `own + exploration * parent`. Comparing children therefore
//! needs only this sum.

mod sp_uct;
mod ucb1;
mod uct;

pub use sp_uct::{Exploration, SpUct};
pub use ucb1::Ucb1;
pub use uct::Uct;

/// The statistics of the playouts through a node, from the point of view of the player who moved
/// there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistics {
    pub visits: u32,
    /// The sum of the rewards of the playouts.
    pub sum: f64,
    /// The sum of the squared rewards of the playouts.
    pub sum_squares: f64,
    /// The highest reward of a playout; minus infinity before the first playout.
    pub best: f64,
}

impl Default for Statistics {
    fn default() -> Self {
        Self {
            visits: 0,
            sum: 0.0,
            sum_squares: 0.0,
            best: f64::NEG_INFINITY,
        }
    }
}

impl Statistics {
    /// Adds the reward of one more playout. Once the number of visits is at its limit, the sums
    /// stay as they are.
    pub fn add(&mut self, reward: f64) {
        self.best = self.best.max(reward);
        let Some(visits) = self.visits.checked_add(1) else {
            return;
        };
        self.visits = visits;
        self.sum += reward;
        self.sum_squares += reward * reward;
    }

    /// Returns the mean reward, or NaN without visits.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits)
    }
}

/// The two terms of a child's value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ValueTerms {
    pub own: f64,
    /// The factor by which [`Select::parent`] is multiplied.
    pub exploration: f64,
}

/// A selection rule: the search follows the child with the highest value.
pub trait Select: Clone {
    /// Returns the terms of a child with at least one visit.
    fn terms(&self, child: &Statistics) -> ValueTerms;

    /// Returns the factor of a parent with `visits` visits, at least one.
    fn parent(&self, visits: u32) -> f64;

    /// Returns the value of a child with at least one visit whose parent has `parent_visits`
    /// visits.
    fn value(&self, child: &Statistics, parent_visits: u32) -> f64 {
        let ValueTerms { own, exploration } = self.terms(child);
        own + exploration * self.parent(parent_visits)
    }
}
