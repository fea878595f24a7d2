//! Paired comparison of two players on the same boards.

use super::distributions::{beta, bisect, t_p_value};
use crate::{Confidence, Estimate};

/// The 80 % quantile of the standard normal distribution, for the power of
/// [`Paired::games_to_settle`].
const Z_POWER: f64 = 0.841_621_233_572_914_2;

/// The joint results of two players in the same games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paired {
    pub both: u64,
    pub only_a: u64,
    pub only_b: u64,
    pub neither: u64,
}

impl Paired {
    /// Counts the joint results of `games` games; `a` and `b` have one bit per game, set if it was
    /// won.
    pub fn of_bits(a: &[u64], b: &[u64], games: u64) -> Self {
        let count = |of: fn(u64, u64) -> u64| {
            a.iter()
                .zip(b)
                .map(|(&a, &b)| u64::from(of(a, b).count_ones()))
                .sum()
        };
        let (both, only_a, only_b): (u64, u64, u64) = (
            count(|a, b| a & b),
            count(|a, b| a & !b),
            count(|a, b| b & !a),
        );
        Self {
            both,
            only_a,
            only_b,
            neither: games - both - only_a - only_b,
        }
    }

    /// Returns the number of games, each played by both players.
    pub fn games(&self) -> u64 {
        self.both + self.only_a + self.only_b + self.neither
    }

    /// Returns the win rate of the first player minus that of the second, -1 to 1.
    pub fn difference(&self) -> f64 {
        (self.only_a as f64 - self.only_b as f64) / self.games() as f64
    }

    /// Returns the p-value of McNemar's two-sided exact test of the hypothesis that both players
    /// win equally often.
    pub fn p_value(&self) -> f64 {
        mcnemar_exact(self.only_a, self.only_b)
    }

    /// Returns [`Paired::difference`] with its score interval (Tango, Statistics in Medicine 17,
    /// 1998, 891-908).
    pub fn interval(&self, confidence: Confidence) -> Estimate {
        let [n, a, b] = [self.games(), self.only_a, self.only_b].map(|games| games as f64);
        let z = confidence.z();
        let value = self.difference();
        // The distance of the measured difference from `difference`, in standard errors of the most
        // likely rates with this difference.
        let distance = |difference: f64| {
            let linear = (2.0 * n - a + b) * difference - a - b;
            let constant = -b * difference * (1.0 - difference);
            let only_b =
                ((linear * linear - 8.0 * n * constant).max(0.0).sqrt() - linear) / (4.0 * n);
            (a - b - n * difference) / (n * (2.0 * only_b + difference * (1.0 - difference))).sqrt()
        };
        Estimate {
            value,
            low: bisect(-1.0, value, |difference| distance(difference) > z),
            high: bisect(value, 1.0, |difference| distance(difference) > -z),
        }
    }

    /// Returns the number of games that would show a difference of the measured size with a power
    /// of 80 % (Connor, Biometrics 43, 1987, 207-211). Returns `None` if the measured difference is
    /// 0.
    pub fn games_to_settle(&self, confidence: Confidence) -> Option<u64> {
        let difference = self.difference();
        if self.only_a == self.only_b {
            return None;
        }
        let discordant = (self.only_a + self.only_b) as f64 / self.games() as f64;
        let root = confidence.z() * discordant.sqrt()
            + Z_POWER * (discordant - difference * difference).max(0.0).sqrt();
        Some((root * root / (difference * difference)).ceil() as u64)
    }
}

/// The mean of the paired differences of games, or of any other number per game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedMean {
    pub mean: f64,
    /// The standard error of the mean; infinite for a single game.
    pub error: f64,
    pub games: u64,
    /// The number of games on which the standard error rests: `(sum of d^2)^2 / sum of d^4` of the
    /// distances `d` from the mean, in wins. Of normally distributed values it is a third of the
    /// games; of values that rarely differ, it is about the number of those that do. It includes
    /// one game more, at a distance of one win, because a sample that lacks the rare large losses
    /// looks the most even.
    pub effective: f64,
}

impl PairedMean {
    /// The minimum of `effective` for which the interval of a luck-corrected mean is trusted. Below
    /// it, intervals of skewed results contain the true value too seldom, as `tests/arena/luck.rs`
    /// shows.
    pub(super) const LEAST_EFFECTIVE: f64 = 10.0;

    /// Computes the mean from one difference per pair.
    pub fn of(differences: impl Iterator<Item = f64> + Clone) -> Self {
        let games = differences.clone().count() as u64;
        let n = games as f64;
        let mean = differences.clone().sum::<f64>() / n;
        let mut squares = 0.0;
        let mut fourths = 0.0;
        for difference in differences {
            let square = (difference - mean) * (difference - mean);
            squares += square;
            fourths += square * square;
        }
        Self {
            mean,
            error: if games > 1 {
                (squares / (n - 1.0) / n).sqrt()
            } else {
                f64::INFINITY
            },
            games,
            effective: effective([squares, fourths], 1.0),
        }
    }

    /// Returns the mean with its confidence interval by Student's t distribution, which is infinite
    /// for a single game.
    pub fn interval(&self, confidence: Confidence) -> Estimate {
        let half = match self.games {
            0 | 1 => f64::INFINITY,
            games => confidence.t(games - 1) * self.error,
        };
        Estimate {
            value: self.mean,
            low: self.mean - half,
            high: self.mean + half,
        }
    }

    /// Returns whether the luck-corrected mean should replace the raw estimate `raw` of the same
    /// games: its standard error rests on enough games, and its interval is not wider.
    pub fn improves(&self, raw: Estimate, confidence: Confidence) -> bool {
        self.effective >= Self::LEAST_EFFECTIVE && self.interval(confidence).width() <= raw.width()
    }

    /// Returns the two-sided p-value of no difference, by Student's t distribution. It is at least
    /// `2^(1 - games)`, the lowest p-value of a test that assumes nothing about the size of the
    /// differences.
    pub fn p_value(&self) -> f64 {
        let least = libm::exp2(1.0 - self.games as f64).min(1.0);
        if self.error == 0.0 || self.games < 2 {
            return if self.mean == 0.0 { 1.0 } else { least };
        }
        t_p_value(self.mean / self.error, self.games - 1).max(least)
    }

    /// Returns the number of games that would show a difference of the measured size with a power
    /// of 80 %, or `None` if the measured difference is 0.
    pub fn games_to_settle(&self, confidence: Confidence) -> Option<u64> {
        let deviation = self.error * (self.games as f64).sqrt();
        (self.mean != 0.0).then(|| {
            let root = (confidence.z() + Z_POWER) * deviation / self.mean;
            (root * root).ceil() as u64
        })
    }
}

/// Returns the number of values on which their variance rests, given the sums of the second and of
/// the fourth powers of their distances, and one more distance.
pub(super) fn effective([squares, fourths]: [f64; 2], more: f64) -> f64 {
    let square = more * more;
    (squares + square) * (squares + square) / (fourths + square * square)
}

/// Returns the two-sided p-value of McNemar's exact test: twice the probability that a fair coin,
/// tossed `only_a + only_b` times, gives at most the smaller of the two counts; at most 1 (McNemar,
/// Psychometrika 12, 1947).
pub fn mcnemar_exact(only_a: u64, only_b: u64) -> f64 {
    let fewer = only_a.min(only_b);
    let more = only_a.max(only_b);
    match more {
        0 => 1.0,
        // The probability of at most `fewer` heads.
        _ => (2.0 * beta(0.5, more as f64, fewer as f64 + 1.0)).min(1.0),
    }
}
