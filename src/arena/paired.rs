//! Paired comparison of two players on the same boards.

use crate::{Confidence, Estimate, Z_95};

/// The 80 % quantile of the standard normal distribution, for the power of [`Paired::games_to_settle`].
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
    /// Counts the joint results of `games` games; `a` and `b` have one bit per game, set if it was won.
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

    /// Returns the p-value of McNemar's two-sided exact test of the hypothesis that both players win equally often.
    pub fn p_value(&self) -> f64 {
        mcnemar_exact(self.only_a, self.only_b)
    }

    /// Returns the confidence interval of [`Paired::difference`]: Wilson intervals of both win rates, combined with their correlation
    /// (method 10 of Newcombe, Statistics in Medicine 17, 1998, 2635-2650).
    pub fn interval(&self, confidence: Confidence) -> Estimate {
        let n = self.games();
        let (a_wins, b_wins) = (self.both + self.only_a, self.both + self.only_b);
        let (a, b) = (
            Estimate::of_wins_at(confidence, a_wins, n),
            Estimate::of_wins_at(confidence, b_wins, n),
        );
        let correlation = self.correlation();
        let join = |x: f64, y: f64| (x * x - 2.0 * correlation * x * y + y * y).max(0.0).sqrt();
        let value = self.difference();
        let low = value - join(a.value - a.low, b.high - b.value);
        Estimate {
            value,
            low,
            high: value + join(a.high - a.value, b.value - b.low),
        }
    }

    /// Returns the continuity-corrected phi coefficient, or 0 if one of the players won all games or none.
    fn correlation(&self) -> f64 {
        let [both, only_a, only_b, neither] =
            [self.both, self.only_a, self.only_b, self.neither].map(|n| n as f64);
        let margins = (both + only_a) * (only_b + neither) * (both + only_b) * (only_a + neither);
        if margins == 0.0 {
            return 0.0;
        }
        let product = both * neither - only_a * only_b;
        let corrected = if product > 0.0 {
            (product - self.games() as f64 / 2.0).max(0.0)
        } else {
            product
        };
        corrected / margins.sqrt()
    }

    /// Returns the number of games that would show a difference of the measured size with a power of 80 % (Connor, Biometrics 43, 1987,
    /// 207-211). Returns `None` if the measured difference is 0.
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
    /// The standard error of the mean.
    pub error: f64,
    pub games: u64,
}

impl PairedMean {
    /// Computes the mean from one difference per pair.
    pub fn of(differences: impl Iterator<Item = f64> + Clone) -> Self {
        let games = differences.clone().count();
        let Estimate {
            value: mean, high, ..
        } = Estimate::mean(differences);
        Self {
            mean,
            error: (high - mean) / Z_95,
            games: games as u64,
        }
    }

    /// Returns the mean with its confidence interval.
    pub fn interval(&self, confidence: Confidence) -> Estimate {
        let half = confidence.z() * self.error;
        Estimate {
            value: self.mean,
            low: self.mean - half,
            high: self.mean + half,
        }
    }

    /// Returns the two-sided p-value of no difference, by the normal approximation.
    pub fn p_value(&self) -> f64 {
        if self.error == 0.0 {
            return if self.mean == 0.0 { 1.0 } else { 0.0 };
        }
        libm::erfc((self.mean / self.error).abs() / std::f64::consts::SQRT_2)
    }

    /// Returns the number of games that would show a difference of the measured size with a power of 80 %, or `None` if the measured
    /// difference is 0.
    pub fn games_to_settle(&self, confidence: Confidence) -> Option<u64> {
        let deviation = self.error * (self.games as f64).sqrt();
        (self.mean != 0.0).then(|| {
            ((confidence.z() + Z_POWER) * deviation / self.mean)
                .powi(2)
                .ceil() as u64
        })
    }
}

/// Returns the two-sided p-value of McNemar's exact test: twice the probability that a fair coin, tossed `only_a + only_b` times, gives at
/// most the smaller of the two counts; at most 1 (McNemar, Psychometrika 12, 1947).
pub fn mcnemar_exact(only_a: u64, only_b: u64) -> f64 {
    let flips = only_a + only_b;
    let fewer = only_a.min(only_b);
    let n = flips as f64;
    let mut k = fewer as f64;
    let mut term =
        (ln_factorial(flips) - ln_factorial(fewer) - ln_factorial(flips - fewer) - n * 2f64.ln())
            .exp();
    let mut sum = term;
    // For decreasing `k`, each term is the previous one times k / (n - k + 1).
    while k > 0.0 && term > sum * f64::EPSILON {
        term *= k / (n - k + 1.0);
        k -= 1.0;
        sum += term;
    }
    (2.0 * sum).min(1.0)
}

/// Returns the natural logarithm of `n!`, as a sum for small `n`, otherwise by Stirling's series.
fn ln_factorial(n: u64) -> f64 {
    if n < 32 {
        return (2..=n).map(|i| (i as f64).ln()).sum();
    }
    let x = n as f64;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + series
}
