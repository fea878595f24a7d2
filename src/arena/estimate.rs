//! Win rates and mean scores with 95 % confidence intervals.

use super::confidence::{Confidence, Z_95};

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
    /// Returns the weighted mean of the strata's win rates, or `None` without strata. The interval is Wilson's for the effective number of
    /// games `(sum w)^2 / sum (w^2 / n)`, with which a mean of equal rates would have the same variance. If all strata have equal weights
    /// and equally many games, this is the total number of games; if the rates then differ between strata, the true interval is narrower.
    pub fn of(strata: impl IntoIterator<Item = WeightedGames>) -> Option<Self> {
        let (mut weights, mut mean, mut spread) = (0.0, 0.0, 0.0);
        for WeightedGames {
            wins,
            games,
            weight,
        } in strata
        {
            weights += weight;
            mean += weight * wins / games;
            spread += weight * weight / games;
        }
        (weights > 0.0).then(|| Self::wilson(mean / weights, weights * weights / spread))
    }

    /// Returns the weighted mean of independent estimates, or `None` without any. The errors are combined as in [`Estimate::minus`].
    pub fn weighted(estimates: impl IntoIterator<Item = (Self, f64)>) -> Option<Self> {
        let (mut weights, mut sum, mut below, mut above) = (0.0, 0.0, 0.0_f64, 0.0_f64);
        for (of, weight) in estimates {
            weights += weight;
            sum += weight * of.value;
            below = below.hypot(weight * (of.value - of.low));
            above = above.hypot(weight * (of.high - of.value));
        }
        let value = sum / weights;
        (weights > 0.0).then(|| Self {
            value,
            low: value - below / weights,
            high: value + above / weights,
        })
    }

    /// Returns the win rate of `wins` in `games` with its Wilson score interval (Wilson 1927; method 3 of Newcombe, Statistics in Medicine
    /// 17, 1998, 857-872). Without games the interval is 0 to 1.
    ///
    /// ```
    /// let of = mineflow_arena::Estimate::of_wins(81, 263);
    /// assert!((of.low - 0.2553).abs() < 5e-5 && (of.high - 0.3662).abs() < 5e-5);
    /// ```
    pub fn of_wins(wins: u64, games: u64) -> Self {
        Self::of_wins_at(Confidence::default(), wins, games)
    }

    /// Returns the win rate of `wins` in `games` with its Wilson score interval of this confidence.
    pub fn of_wins_at(confidence: Confidence, wins: u64, games: u64) -> Self {
        match games {
            0 => Self {
                value: 0.0,
                low: 0.0,
                high: 1.0,
            },
            _ => Self::wilson_at(confidence, wins as f64 / games as f64, games as f64),
        }
    }

    /// Returns the Wilson score interval of a win rate; `games` need not be an integer.
    pub fn wilson(ratio: f64, games: f64) -> Self {
        Self::wilson_at(Confidence::default(), ratio, games)
    }

    fn wilson_at(confidence: Confidence, ratio: f64, games: f64) -> Self {
        let z = confidence.z();
        let z2 = z * z;
        let middle = (ratio + z2 / (2.0 * games)) / (1.0 + z2 / games);
        let half = z / (1.0 + z2 / games)
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

    /// Returns the mean of `values` with its 95 % interval by the normal approximation. For a single value, the interval has zero width.
    pub fn mean(values: impl Iterator<Item = f64> + Clone) -> Self {
        let count = values.clone().count() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        let half = if count > 1.0 {
            Z_95 * (squares / (count - 1.0) / count).sqrt()
        } else {
            0.0
        };
        Self {
            value: mean,
            low: mean - half,
            high: mean + half,
        }
    }

    /// Returns the same estimate with the interval clipped to 0 and 1, the range of a win rate. The value is not clipped, since an unbiased
    /// estimate may lie outside.
    #[must_use]
    pub fn clipped(self) -> Self {
        Self {
            low: self.low.clamp(0.0, 1.0),
            high: self.high.clamp(0.0, 1.0),
            ..self
        }
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

    /// Returns the difference of two estimates from independent games (method 10 of Newcombe, Statistics in Medicine 17, 1998, 873-890). If
    /// both were played on the same boards, the true interval is narrower.
    pub fn minus(self, other: Self) -> Self {
        let value = self.value - other.value;
        let below = (self.value - self.low).hypot(other.high - other.value);
        let above = (self.high - self.value).hypot(other.value - other.low);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn stratum(wins: u32, games: u32) -> WeightedGames {
        WeightedGames {
            wins: wins.into(),
            games: games.into(),
            weight: 1.0,
        }
    }

    #[test]
    fn one_stratum_has_the_interval_of_newcombes_table() {
        let of = Estimate::of([stratum(81, 263)]).unwrap();
        assert!(
            (of.low - 0.2553).abs() < 5e-5 && (of.high - 0.3662).abs() < 5e-5,
            "{of:?}"
        );
        assert_eq!(of, Estimate::of_wins(81, 263));
        assert_eq!(
            [(0, 9), (9, 9), (0, 0)]
                .map(|(wins, games)| Estimate::of_wins(wins, games))
                .map(|of| (of.low == 0.0, of.high == 1.0)),
            [(true, false), (false, true), (true, true)]
        );
    }

    #[test]
    fn strata_of_as_many_games_count_like_all_their_games() {
        let split = Estimate::of([stratum(30, 100), stratum(50, 100)]).unwrap();
        let whole = Estimate::of([stratum(80, 200)]).unwrap();
        assert!((split.value - whole.value).abs() < 1e-12 && (split.low - whole.low).abs() < 1e-12);
    }

    #[test]
    fn a_weighted_mean_of_parts_is_the_whole() {
        let values: Vec<f64> = (0..400).map(|n| f64::from(n % 7)).collect();
        let whole = Estimate::mean(values.iter().copied());
        let parts = values
            .chunks(100)
            .map(|part| (Estimate::mean(part.iter().copied()), 2.0));
        let of = Estimate::weighted(parts).unwrap();
        assert!((of.value - whole.value).abs() < 1e-12);
        assert!(
            (of.low - whole.low).abs() < 2e-3 && (of.high - whole.high).abs() < 2e-3,
            "{of:?} {whole:?}"
        );
        assert_eq!(Estimate::weighted([]), None);
    }

    #[test]
    fn a_stratum_of_few_games_widens_the_interval() {
        let even = Estimate::of([stratum(30, 100), stratum(50, 100)]).unwrap();
        let uneven = Estimate::of([stratum(3, 10), stratum(50, 100)]).unwrap();
        assert!((even.value - uneven.value).abs() < 1e-12);
        assert!(uneven.low < even.low && uneven.high > even.high);
        assert_eq!(Estimate::of([]), None);
    }

    #[test]
    fn a_mean_has_the_interval_of_its_standard_error() {
        // The standard deviation of 2, 4, 4, 6 with divisor n - 1 is the square root of 8/3, and the standard error that of 2/3.
        let of = Estimate::mean([2.0, 4.0, 4.0, 6.0].into_iter());
        assert!(
            (of.value - 4.0).abs() < 1e-12 && (of.high - 4.0 - 1.96 * 0.8165).abs() < 1e-4,
            "{of:?}"
        );
        assert_eq!(
            Estimate::mean([7.0].into_iter()),
            Estimate {
                value: 7.0,
                low: 7.0,
                high: 7.0
            }
        );
    }

    #[test]
    fn differences_have_the_interval_of_newcombes_table() {
        // 56/70 - 48/80, the first column of Newcombe's table II: 0.2, 0.0524 to 0.3339.
        let of = Estimate::of([stratum(56, 70)])
            .unwrap()
            .minus(Estimate::of([stratum(48, 80)]).unwrap());
        assert!((of.value - 0.2).abs() < 1e-12, "{of:?}");
        assert!(
            (of.low - 0.0524).abs() < 5e-5 && (of.high - 0.3339).abs() < 5e-5,
            "{of:?}"
        );
    }
}
