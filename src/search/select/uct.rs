//! UCT: `v_i + C sqrt(ln n_p / n_i)`.
//!
//! L. Kocsis, C. Szepesvári: Bandit based Monte-Carlo Planning. ECML 2006. The constant `C` is a
//! setting, as in the first two terms of equation 1 of Schadd et al. (SP-MCTS).

use super::{Select, Statistics, ValueTerms};

/// The selection rule UCT.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Uct {
    /// The exploration constant, on the scale of the rewards.
    pub c: f64,
}

impl Select for Uct {
    fn terms(&self, child: &Statistics) -> ValueTerms {
        ValueTerms {
            own: child.mean(),
            exploration: self.c / f64::from(child.visits).sqrt(),
        }
    }

    fn parent(&self, visits: u32) -> f64 {
        libm::log(f64::from(visits)).sqrt()
    }
}
