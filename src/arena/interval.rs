//! Confidence intervals of win ratios.

/// The 97.5 % quantile of the normal distribution: two-sided 95 %.
pub(super) const Z_95: f64 = 1.959_963_984_540_054;

/// A 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

/// The 95 % score interval of a ratio of `wins` among `games`, 0 to 1 where nothing was played (Wilson 1927; method 3
/// of Newcombe, Statistics in Medicine 17, 1998, 857-872).
///
/// ```
/// let interval = mineflow::arena::wilson(81, 263);
/// assert!((interval.low - 0.2553).abs() < 5e-5 && (interval.high - 0.3662).abs() < 5e-5);
/// ```
pub fn wilson(wins: u64, games: u64) -> Interval {
    if games == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = games as f64;
    let p = wins as f64 / n;
    let z2 = Z_95 * Z_95;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z_95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends the two terms are equal but for rounding.
    let low = if wins == 0 { 0.0 } else { middle - half };
    let high = if wins == games { 1.0 } else { middle + half };
    Interval { low, high }
}
