//! The selection rule of SP-MCTS (Schadd et al., equation 1) with its top-score term:
//! `v_i + C sqrt(ln n_p / n_i) + sqrt((sum r^2 - n_i v_i^2 + D) / n_i) + W max r`.
//!
//! M. Schadd, M. Winands, M. Tak, J. Uiterwijk: Single-Player Monte-Carlo Tree Search for SameGame.
//! Section 4.1.

use super::{Select, Statistics, ValueTerms};

/// The selection rule of Schadd et al. (equation 1). Rewards are not normalised, and the constants
/// must fit the scale of the rewards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpUct {
    /// The exploration constant `C`.
    pub c: f64,
    /// The constant `D`, which makes nodes with few visits look uncertain and thus promising.
    pub d: f64,
    /// The weight `W` of the top score.
    pub w: f64,
}

impl Default for SpUct {
    /// Returns the exploitation setting of Schadd et al., (C; D) = (0.1; 32), with their W of 0.02.
    fn default() -> Self {
        Self {
            c: 0.1,
            d: 32.0,
            w: 0.02,
        }
    }
}

impl Select for SpUct {
    fn terms(&self, child: &Statistics) -> ValueTerms {
        let visits = f64::from(child.visits);
        let mean = child.mean();
        // With equal rewards, a rounding error may make this difference negative.
        let spread = (child.sum_squares - visits * mean * mean + self.d).max(0.0);
        let own = mean + (spread / visits).sqrt() + self.w * child.best;
        ValueTerms {
            own,
            exploration: self.c / visits.sqrt(),
        }
    }

    fn parent(&self, visits: u32) -> f64 {
        libm::log(f64::from(visits)).sqrt()
    }
}
