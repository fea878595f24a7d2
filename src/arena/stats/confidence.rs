//! Confidence levels of verdicts and intervals.

use std::{fmt, str::FromStr};

use super::distributions::{bisect, t_p_value};

/// The 97.5 % quantile of the standard normal distribution, for two-sided 95 % intervals.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// The confidence level of a verdict, in percent, from 50 to below 100.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Confidence(f64);

impl Confidence {
    /// Returns the two-sided significance level: a difference with a p-value at or above it may be
    /// due to chance.
    pub fn p_value(self) -> f64 {
        (100.0 - self.0) / 100.0
    }

    /// Returns the two-sided quantile of the normal distribution: the half-width of an interval in
    /// standard errors.
    pub fn z(self) -> f64 {
        if self == Self::default() {
            return Z_95;
        }
        bisect(0.0, 40.0, |z| {
            libm::erfc(z / std::f64::consts::SQRT_2) > self.p_value()
        })
    }

    /// Returns the two-sided quantile of Student's t distribution with `freedom` degrees of
    /// freedom, at least 1.
    pub fn t(self, freedom: u64) -> f64 {
        bisect(0.0, 1e9, |t| t_p_value(t, freedom) > self.p_value())
    }
}

impl Default for Confidence {
    fn default() -> Self {
        Self(95.0)
    }
}

impl FromStr for Confidence {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .ok()
            .filter(|percent| (50.0..100.0).contains(percent))
            .map(Self)
            .ok_or_else(|| {
                format!("`{text}` is not a confidence from 50 to below 100 %; write 95 or 99.9")
            })
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
