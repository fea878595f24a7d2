//! The selection rule of SP-MCTS with its top-score term, which determines the child to follow.
//!
//! As Schadd et al. print it (equation 1):
//! `v_i + C sqrt(ln n_p / n_i) + sqrt((sum r^2 - n_i v_i^2 + D) / n_i) + W max r`.
//!
//! As their published program computes it:
//! `v_i + C sqrt(sqrt(n_p) / n_i) sqrt((sum r^2 - n_i v_i^2 + D) / (n_i + 1)) + W max r`.
//!
//! M. Schadd, M. Winands, M. Tak, J. Uiterwijk: Single-Player Monte-Carlo Tree Search for SameGame.
//! Section 4.1. The program: class `UCTPlayer` of
//! <https://github.com/LukasPad/MA-PROJECT-Explanatory-Tree-Search-SameGame>.
//!
//! The value of a child is the sum of a term that depends on the child alone and a term that also
//! depends on the visits of its parent: `own + exploration * parent`. Comparing children therefore
//! needs only this sum.

/// The statistics of the playouts through a node.
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
    /// The factor by which [`SpUct::parent`] is multiplied.
    pub exploration: f64,
}

/// How a child with few visits is made attractive.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Exploration {
    /// As equation 1 is printed: a term of UCT beside the deviation, so that `C` and `D` must fit
    /// the scale of the rewards.
    #[default]
    Printed,
    /// As the program of Schadd et al. computes it: `C` multiplies the deviation and has no scale.
    Deviation,
}

/// The selection rule of Schadd et al. Rewards are not normalised.
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

impl SpUct {
    /// Returns the terms of a child with at least one visit.
    pub fn terms(&self, child: &Statistics) -> ValueTerms {
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

    /// Returns the factor of a parent with `visits` visits, at least one.
    pub fn parent(&self, visits: u32) -> f64 {
        let visits = f64::from(visits);
        match self.explore {
            Exploration::Printed => libm::log(visits).sqrt(),
            Exploration::Deviation => visits.sqrt().sqrt(),
        }
    }
}
