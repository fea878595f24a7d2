//! UCB1: `v_i + sqrt(2 ln n_p / n_i)`, for rewards in 0..=1.
//!
//! P. Auer, N. Cesa-Bianchi, P. Fischer: Finite-time Analysis of the Multiarmed Bandit Problem.
//! Machine Learning 47, 2002.

use super::{Select, Statistics, ValueTerms};

/// The selection rule UCB1, which has no settings.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Ucb1;

impl Ucb1 {
    /// Returns the upper confidence bound of an arm outside a tree. The bound is infinite for an
    /// arm without visits.
    pub fn upper_bound(mean: f64, visits: u64, all_visits: u64) -> f64 {
        if visits == 0 {
            return f64::INFINITY;
        }
        mean + (2.0 * libm::log(all_visits as f64) / visits as f64).sqrt()
    }
}

impl Select for Ucb1 {
    fn terms(&self, child: &Statistics) -> ValueTerms {
        ValueTerms {
            own: child.mean(),
            exploration: f64::from(child.visits).sqrt().recip(),
        }
    }

    fn parent(&self, visits: u32) -> f64 {
        (2.0 * libm::log(f64::from(visits))).sqrt()
    }
}
