//! Selection rules: which child to follow. One short file each, with its equation.
//!
//! Every rule here values a child by a term of its own and one that also depends on its parent's visits:
//! `own + exploration * parent`. So only the sum has to be worked out when children are compared.

mod sp_uct;
mod ucb1;
mod uct;

pub use sp_uct::{Logarithm, SpUct};
pub use ucb1::Ucb1;
pub use uct::Uct;

/// What came of the playouts through a node, as the player saw it who moved there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Statistics {
    pub visits: u32,
    /// Of rewards.
    pub sum: f64,
    /// Of squared rewards.
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

    /// The average reward; not a number before the first.
    pub fn mean(&self) -> f64 {
        self.sum / f64::from(self.visits)
    }
}

/// The two terms of a child's value.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ValueTerms {
    pub own: f64,
    /// Multiplies [`Select::parent`].
    pub exploration: f64,
}

/// A selection rule: the child of the highest value is followed.
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
