//! The selection rule of SP-MCTS with its top-score term, in two forms.
//!
//! As Schadd et al. print it (equation 1):
//! `v_i + C sqrt(ln n_p / n_i) + sqrt((sum r^2 - n_i v_i^2 + D) / n_i) + W max r`.
//!
//! As their published program computes it, with `C` as a factor of the deviation:
//! `v_i + C sqrt(sqrt(n_p) / n_i) sqrt((sum r^2 - n_i v_i^2 + D) / (n_i + 1)) + W max r`.
//!
//! M. Schadd, M. Winands, M. Tak, J. Uiterwijk: Single-Player Monte-Carlo Tree Search for SameGame.
//! Section 4.1. The program: `src/OldCode/UCTPlayer.java` of
//! <https://github.com/LukasPad/MA-PROJECT-Explanatory-Tree-Search-SameGame>.

use super::{Select, Statistics, ValueTerms};

/// How a child with few visits is made attractive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Exploration {
    /// As equation 1 is printed: a term of UCT and the deviation beside it, so that `C` and `D`
    /// must fit the scale of the rewards.
    #[default]
    Printed,
    /// As the program of Schadd et al. computes it: `C` multiplies the deviation and needs no
    /// scale.
    Deviation,
}

/// The selection rule of Schadd et al. (equation 1). Rewards are not normalised, and the constants
/// must fit the scale of the rewards.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpUct {
    pub explore: Exploration,
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
            explore: Exploration::Printed,
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
        let exploration = self.c / visits.sqrt();
        match self.explore {
            Exploration::Printed => ValueTerms {
                own: mean + (spread / visits).sqrt() + self.w * child.best,
                exploration,
            },
            Exploration::Deviation => ValueTerms {
                own: mean + self.w * child.best,
                exploration: exploration * (spread / (visits + 1.0)).sqrt(),
            },
        }
    }

    fn parent(&self, visits: u32) -> f64 {
        let visits = f64::from(visits);
        match self.explore {
            Exploration::Printed => libm::log(visits).sqrt(),
            Exploration::Deviation => visits.sqrt().sqrt(),
        }
    }
}
