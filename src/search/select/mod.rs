//! Selection rules: which child to follow. Each has a short file with its equation.
//!
//! The value of a child has one term that depends on the child alone, and one that also depends on its parent's visits: `own + exploration
//! * parent`. Comparing children therefore needs only this sum.

mod sp_uct;
mod ucb1;
mod uct;

pub use sp_uct::{Logarithm, SpUct};
pub use ucb1::Ucb1;
pub use uct::Uct;

/// Statistics of the playouts through a node, from the view of the player who moved there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistics {
    pub visits: u32,
    /// The sum of rewards.
    pub sum: f64,
    /// The sum of squared rewards.
    pub sum_squares: f64,
    /// The highest reward; minus infinity before the first.
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
    /// Counts one more playout.
    pub fn add(&mut self, reward: f64) {
        self.visits += 1;
        self.sum += reward;
        self.sum_squares += reward * reward;
        self.best = self.best.max(reward);
    }

    /// The mean reward; NaN without visits.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits)
    }
}

/// The two terms of a child's value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ValueTerms {
    pub own: f64,
    /// The factor of [`Select::parent`].
    pub exploration: f64,
}

/// A selection rule: the child with the highest value is followed.
pub trait Select: Clone {
    /// The terms of a child with at least one visit.
    fn terms(&self, child: &Statistics) -> ValueTerms;

    /// The factor of a parent with this many visits, at least one.
    fn parent(&self, visits: u32) -> f64;

    /// The value of a child with at least one visit, whose parent has `parent_visits`.
    fn value(&self, child: &Statistics, parent_visits: u32) -> f64 {
        let ValueTerms { own, exploration } = self.terms(child);
        own + exploration * self.parent(parent_visits)
    }
}
