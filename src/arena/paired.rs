//! Two players on the same boards: is one stronger?

use crate::{Confidence, Estimate, Z_95};

/// The 80 % quantile of the normal distribution: the power of [`Paired::games_to_settle`].
const Z_POWER: f64 = 0.841_621_233_572_914_2;

/// How often each of two players won the same games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paired {
    pub both: u64,
    pub only_a: u64,
    pub only_b: u64,
    pub neither: u64,
}

impl Paired {
    /// Counts the pairs of `games` games; `a` and `b` have one bit a game, set where it was won.
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

    /// Number of games, each played by both.
    pub fn games(&self) -> u64 {
        self.both + self.only_a + self.only_b + self.neither
    }

    /// Win ratio of the first player less that of the second, -1 to 1.
    pub fn difference(&self) -> f64 {
        (self.only_a as f64 - self.only_b as f64) / self.games() as f64
    }

    /// The two-sided exact test that both win equally often.
    pub fn p_value(&self) -> f64 {
        mcnemar_exact(self.only_a, self.only_b)
    }

    /// The interval of [`Paired::difference`]: Wilson intervals of both ratios, joined by their correlation
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

    /// The continuity-corrected phi coefficient; 0 where one of the players won all or none.
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

    /// How many games would show a difference of the measured size with a chance of 80 % (Connor, Biometrics 43, 1987, 207-211);
    /// `None` where no difference was measured.
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

/// The mean of the differences of pairs of games, or of any other number of each game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedMean {
    pub mean: f64,
    /// Standard error of the mean.
    pub error: f64,
    pub games: u64,
}

impl PairedMean {
    /// Of one difference a pair.
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

    /// The mean with its interval.
    pub fn interval(&self, confidence: Confidence) -> Estimate {
        let half = confidence.z() * self.error;
        Estimate {
            value: self.mean,
            low: self.mean - half,
            high: self.mean + half,
        }
    }

    /// The two-sided p of no difference, by the normal distribution.
    pub fn p_value(&self) -> f64 {
        if self.error == 0.0 {
            return if self.mean == 0.0 { 1.0 } else { 0.0 };
        }
        libm::erfc((self.mean / self.error).abs() / std::f64::consts::SQRT_2)
    }

    /// How many games would show a difference of the measured size with a chance of 80 %; `None` where no difference was measured.
    pub fn games_to_settle(&self, confidence: Confidence) -> Option<u64> {
        let deviation = self.error * (self.games as f64).sqrt();
        (self.mean != 0.0).then(|| {
            ((confidence.z() + Z_POWER) * deviation / self.mean)
                .powi(2)
                .ceil() as u64
        })
    }
}

/// The exact two-sided p of McNemar's test: twice the chance that a fair coin gives no more than the smaller of the two
/// counts among their sum, at most 1 (McNemar, Psychometrika 12, 1947).
pub fn mcnemar_exact(only_a: u64, only_b: u64) -> f64 {
    let flips = only_a + only_b;
    let fewer = only_a.min(only_b);
    let n = flips as f64;
    let mut k = fewer as f64;
    let mut term =
        (ln_factorial(flips) - ln_factorial(fewer) - ln_factorial(flips - fewer) - n * 2f64.ln())
            .exp();
    let mut sum = term;
    // Downwards the terms shrink by k / (n - k + 1) each.
    while k > 0.0 && term > sum * f64::EPSILON {
        term *= k / (n - k + 1.0);
        k -= 1.0;
        sum += term;
    }
    (2.0 * sum).min(1.0)
}

/// The logarithm of `n!`: exactly summed for small `n`, Stirling's series for the rest.
fn ln_factorial(n: u64) -> f64 {
    if n < 32 {
        return (2..=n).map(|i| (i as f64).ln()).sum();
    }
    let x = n as f64;
    let series = 1.0 / (12.0 * x) - 1.0 / (360.0 * x.powi(3)) + 1.0 / (1260.0 * x.powi(5));
    x * x.ln() - x + 0.5 * (std::f64::consts::TAU * x).ln() + series
}
