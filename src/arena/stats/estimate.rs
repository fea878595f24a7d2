//! Win rates and mean scores with 95 % confidence intervals.

use std::collections::BTreeMap;

use super::{
    confidence::{Confidence, Z_95},
    distributions::{beta, bisect},
    paired::PairedMean,
};

/// An estimate with its confidence interval, of 95 % unless another confidence is given.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

/// The games of one configuration (a stratum), and their weight in a mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WeightedGames {
    pub wins: f64,
    pub games: f64,
    pub weight: f64,
}

impl Estimate {
    /// Returns an exact value, whose interval has no width.
    pub const fn exactly(value: f64) -> Self {
        Self {
            value,
            low: value,
            high: value,
        }
    }

    /// Returns the weighted mean of the strata's win rates, or `None` without strata. The interval
    /// is Wilson's for the effective number of games `(sum w)^2 / sum (w^2 / n)`, with which a mean
    /// of equal rates would have the same variance. If all strata have equal weights and equally
    /// many games, this is the total number of games; if the rates then differ between strata, the
    /// true interval is narrower.
    pub fn of(strata: impl IntoIterator<Item = WeightedGames>) -> Option<Self> {
        let mut weights = 0.0;
        let mut mean = 0.0;
        let mut spread = 0.0;
        for of in strata {
            weights += of.weight;
            mean += of.weight * of.wins / of.games;
            spread += of.weight * of.weight / of.games;
        }
        (weights > 0.0).then(|| Self::wilson(mean / weights, weights * weights / spread))
    }

    /// Returns the weighted mean of independent estimates, or `None` without any. The errors are
    /// combined as in [`Estimate::minus`].
    pub fn weighted(estimates: impl IntoIterator<Item = (Self, f64)>) -> Option<Self> {
        let mut weights = 0.0;
        let mut sum = 0.0;
        let mut below = 0.0;
        let mut above = 0.0;
        for (of, weight) in estimates {
            weights += weight;
            sum += weight * of.value;
            below = libm::hypot(below, weight * (of.value - of.low));
            above = libm::hypot(above, weight * (of.high - of.value));
        }
        let value = sum / weights;
        (weights > 0.0).then(|| Self {
            value,
            low: value - below / weights,
            high: value + above / weights,
        })
    }

    /// Returns the win rate of `wins` in `games` with its Wilson score interval (Wilson 1927;
    /// method 3 of Newcombe, Statistics in Medicine 17, 1998, 857-872). Without games the interval
    /// is 0 to 1.
    ///
    /// ```
    /// let of = mineflow_arena::Estimate::of_wins(81, 263);
    /// assert!((of.low - 0.2553).abs() < 5e-5 && (of.high - 0.3662).abs() < 5e-5);
    /// ```
    pub fn of_wins(wins: u64, games: u64) -> Self {
        match games {
            0 => Self {
                value: 0.0,
                low: 0.0,
                high: 1.0,
            },
            _ => Self::wilson(wins as f64 / games as f64, games as f64),
        }
    }

    /// Returns the Wilson score interval of a win rate; `games` need not be an integer.
    fn wilson(ratio: f64, games: f64) -> Self {
        let z2 = Z_95 * Z_95;
        let middle = (ratio + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let half = Z_95 / (1.0 + z2 / games)
            * (ratio * (1.0 - ratio) / games + z2 / (4.0 * games * games)).sqrt();
        // At a rate of 0 or 1 the two terms are equal except for rounding.
        let low = if ratio <= 0.0 { 0.0 } else { middle - half };
        let high = if ratio >= 1.0 { 1.0 } else { middle + half };
        Self {
            value: ratio,
            low,
            high,
        }
    }

    /// Returns the win rate of `wins` in `games` with its exact 95 % interval (Clopper and Pearson,
    /// Biometrika 26, 1934, 404-413). It contains the true rate in at least 95 % of samples of any
    /// size, and is wider than Wilson's.
    pub fn exact(wins: u64, games: u64) -> Self {
        let tail = Confidence::default().p_value() / 2.0;
        let k = wins as f64;
        let n = games as f64;
        Self {
            value: k / n,
            low: bisect(0.0, k / n, |rate| beta(rate, k, n - k + 1.0) < tail),
            high: bisect(k / n, 1.0, |rate| beta(rate, k + 1.0, n - k) < 1.0 - tail),
        }
    }

    /// Returns the mean of `values` with its 95 % interval by Student's t distribution. For a
    /// single value, the interval is infinite.
    pub fn mean(values: impl Iterator<Item = f64> + Clone) -> Self {
        PairedMean::of(values).interval(Confidence::default())
    }

    /// Returns the mean of values that are independent only between clusters, such as the rows of
    /// different games, each with its cluster. The error is cluster-robust: it rests on the sums of
    /// the residuals of each cluster (Liang and Zeger, Biometrika 73, 1986, 13-22). The 95 %
    /// interval is that of Student's t distribution; it is infinite for a single cluster.
    pub fn clustered(values: impl Iterator<Item = (u64, f64)> + Clone) -> Self {
        let n = values.clone().count() as f64;
        let mean = values.clone().map(|(_, value)| value).sum::<f64>() / n;
        let mut residuals = BTreeMap::new();
        for (cluster, value) in values {
            *residuals.entry(cluster).or_insert(0.0) += value - mean;
        }
        let clusters = residuals.len() as f64;
        let squares: f64 = residuals.values().map(|sum| sum * sum).sum();
        let of = PairedMean {
            mean,
            error: (squares * clusters / (clusters - 1.0)).sqrt() / n,
            games: residuals.len() as u64,
            effective: clusters,
        };
        of.interval(Confidence::default())
    }

    /// Returns the same estimate with the interval clipped to 0 and 1, the range of a win rate,
    /// except that it contains the value, which is not clipped, since an unbiased estimate may lie
    /// outside.
    #[must_use]
    pub fn clipped(self) -> Self {
        Self {
            low: self.low.clamp(0.0, 1.0).min(self.value),
            high: self.high.clamp(0.0, 1.0).max(self.value),
            ..self
        }
    }

    /// Returns the distance between the ends of the interval.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// Subtracts a known number from the estimate.
    pub fn less(self, known: f64) -> Self {
        Self {
            value: self.value - known,
            low: self.low - known,
            high: self.high - known,
        }
    }

    /// Multiplies the estimate by a factor above 0, to convert its unit.
    pub fn times(self, factor: f64) -> Self {
        Self {
            value: self.value * factor,
            low: self.low * factor,
            high: self.high * factor,
        }
    }

    /// Returns the difference of two estimates from independent games (method 10 of Newcombe,
    /// Statistics in Medicine 17, 1998, 873-890). If both were played on the same boards, the true
    /// interval is narrower.
    pub fn minus(self, other: Self) -> Self {
        let value = self.value - other.value;
        let below = libm::hypot(self.value - self.low, other.high - other.value);
        let above = libm::hypot(self.high - self.value, other.value - other.low);
        Self {
            value,
            low: value - below,
            high: value + above,
        }
    }

    pub fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}
