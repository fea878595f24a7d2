//! A sequential test: games are played until they decide between two hypotheses, or all games are
//! played.

use std::{
    fmt::{self, Display},
    ops::Range,
    str::FromStr,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::paired::{PairedMean, effective};
use crate::{Confidence, numbers::round};

/// The probability of each kind of error: accepting although the mean is LOW, and rejecting
/// although it is HIGH.
const ERROR: f64 = 0.05;
/// The minimum number of observations for a verdict; with fewer, the variance estimate is too
/// uncertain.
const LEAST: u64 = 20;

/// The generalised sequential probability ratio test (GSPRT) that testers of chess engines use,
/// with the hypotheses that the mean of the observations is `low` or `high`. Its text form is
/// `LOW:HIGH`.
///
/// The log-likelihood ratio (LLR) is `n (high - low) (2 mean - low - high) / (2 variance)`, the
/// normal approximation of the generalised ratio (M. Van den Bergh, A Practical Introduction to the
/// GSPRT, equation 2.1). Fewer than 20 observations decide nothing. If observations are bounded,
/// the variance includes one more observation at the largest possible distance on either side.
/// (fishtest adds a thousandth of an observation, with which a few drawn games would count as
/// certainty.) If they are unbounded and all equal, the LLR is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    low: f64,
    high: f64,
}

/// The verdict of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// The observations support the higher mean.
    Accepted,
    /// The observations support the lower mean.
    Rejected,
    /// The observations do not decide between the two means yet.
    Open,
}

/// The result of a sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Tested {
    #[serde(skip)]
    sprt: Sprt,
    pub verdict: SprtVerdict,
    /// The log-likelihood ratio.
    pub llr: f64,
    pub observations: u64,
    /// The mean of the observations; `low` and `high` are the ends of its 95 % confidence interval,
    /// which ignores the stopping rule.
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// Running statistics of the observations, in their order.
#[derive(Clone, Copy, Debug)]
struct Observations {
    count: u64,
    mean: f64,
    /// The sum of squared deviations from the mean.
    squares: f64,
    /// The sums of the second and of the fourth powers of the distances from 0.
    powers: [f64; 2],
    /// The largest possible distance of an observation from the centre of its range; 0 if it is not
    /// known.
    reach: f64,
    /// The least effective number of observations of a verdict.
    least: f64,
}

/// A test in progress, in rounds of equally many observations. It is evaluated only after complete
/// rounds, so that results depend on neither threads nor interruptions.
#[derive(Clone, Debug)]
pub struct Rounds {
    sprt: Sprt,
    /// The number of observations per round.
    length: u32,
    /// The maximum number of observations.
    most: u32,
    /// The number of observations up to the end of the current round.
    end: u32,
    seen: Observations,
    is_over: bool,
}

impl Sprt {
    /// The name of the setting in stages and in their folders.
    pub const SETTING: &str = "sprt";

    /// Returns the setting as stored in folders.
    pub fn noted(self) -> (String, Value) {
        (Self::SETTING.to_owned(), self.to_string().into())
    }

    /// Returns the LLR threshold. At or above it the test accepts; at or below its negative the
    /// test rejects.
    fn bound() -> f64 {
        libm::log((1.0 - ERROR) / ERROR)
    }

    fn llr(self, seen: &Observations) -> f64 {
        let variance = seen.variance();
        if variance == 0.0 {
            return 0.0;
        }
        let Self { low, high } = self;
        seen.count as f64 * (high - low) * (2.0 * seen.mean - low - high) / (2.0 * variance)
    }

    fn verdict(self, seen: &Observations) -> SprtVerdict {
        match self.llr(seen) {
            _ if seen.count < LEAST || effective(seen.powers, seen.reach) < seen.least => {
                SprtVerdict::Open
            }
            llr if llr >= Self::bound() => SprtVerdict::Accepted,
            llr if llr <= -Self::bound() => SprtVerdict::Rejected,
            _ => SprtVerdict::Open,
        }
    }
}

impl FromStr for Sprt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| text.parse().ok().filter(|number: &f64| number.is_finite());
        let ends = match text {
            "short" => "0:2",
            "long" => "0:0.5",
            "no-regression" => "-0.5:0.25",
            ends => ends,
        };
        let ends = ends
            .split_once(':')
            .and_then(|(low, high)| Some((number(low)?, number(high)?)));
        match ends.filter(|(low, high)| low < high) {
            Some((low, high)) => Ok(Self { low, high }),
            None => Err(format!(
                "`{text}` is not a test; write LOW:HIGH such as 0:1, LOW below HIGH, or short, long or no-regression"
            )),
        }
    }
}

impl Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.low, self.high)
    }
}

impl Observations {
    fn new(reach: f64) -> Self {
        Self {
            count: 0,
            mean: 0.0,
            squares: 0.0,
            powers: [0.0; 2],
            reach,
            least: 0.0,
        }
    }

    fn add(&mut self, value: f64) {
        let from = value - self.mean;
        self.count += 1;
        self.mean += from / self.count as f64;
        self.squares += from * (value - self.mean);
        let square = value * value;
        self.powers[0] += square;
        self.powers[1] += square * square;
    }

    /// Returns the number of pseudo-observations: one `reach` above the mean and one as far below
    /// it. They are needed because a few equal observations don't prove that all observations are
    /// equal.
    fn more(&self) -> f64 {
        if self.reach > 0.0 { 2.0 } else { 0.0 }
    }

    /// Returns the variance, with the pseudo-observations.
    fn variance(&self) -> f64 {
        let more = self.more();
        (self.squares + more * self.reach * self.reach) / (self.count as f64 + more)
    }

    /// Returns half the width of the mean's 95 % interval by Student's t distribution, with the
    /// pseudo-observations. It is infinite if all observations are equal and their reach is not
    /// known.
    fn half_width(&self) -> f64 {
        let freedom = self.count as f64 + self.more() - 1.0;
        if self.variance() == 0.0 {
            return f64::INFINITY;
        }
        let variance = self.variance() * (freedom + 1.0) / freedom;
        Confidence::default().t(freedom as u64) * (variance / self.count as f64).sqrt()
    }
}

impl Rounds {
    /// Creates a test of at most `most` observations in rounds of `length`. `reach` is the largest
    /// possible distance of an observation from the centre of its range, or 0 if it is not known.
    pub fn new(sprt: Sprt, length: u32, most: u32, reach: f64) -> Self {
        Self {
            sprt,
            length,
            most,
            end: length.min(most),
            seen: Observations::new(reach),
            is_over: false,
        }
    }

    /// Lets luck-corrected observations decide only once their variance can be trusted.
    #[must_use]
    pub fn corrected(mut self) -> Self {
        self.seen.least = PairedMean::LEAST_EFFECTIVE;
        self
    }

    /// Returns the number of observations up to the end of the current round.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Returns the maximum number of observations or, once the test is over, the actual number.
    pub fn most(&self) -> u32 {
        if self.is_over { self.end } else { self.most }
    }

    /// Returns whether the test has a verdict or all its observations.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Adds the complete rounds, until the test is over. `observe` returns the observations with
    /// these numbers, or `None` if one of them is missing.
    pub fn advance(&mut self, observe: impl Fn(Range<u32>) -> Option<Vec<f64>>) {
        while !self.is_over {
            let Some(values) = observe(self.seen.count as u32..self.end) else {
                return;
            };
            values.into_iter().for_each(|value| self.seen.add(value));
            self.is_over =
                self.end == self.most || self.sprt.verdict(&self.seen) != SprtVerdict::Open;
            if !self.is_over {
                self.end = self.end.saturating_add(self.length).min(self.most);
            }
        }
    }

    /// Returns the result after the complete rounds.
    pub fn tested(&self) -> Tested {
        let seen = &self.seen;
        let half = self.seen.half_width();
        let most = if seen.reach > 0.0 {
            seen.reach
        } else {
            f64::INFINITY
        };
        Tested {
            sprt: self.sprt,
            verdict: self.sprt.verdict(seen),
            llr: round(self.sprt.llr(seen), 4),
            observations: seen.count,
            mean: round(seen.mean, 4),
            low: round((seen.mean - half).max(-most), 4),
            high: round((seen.mean + half).min(most), 4),
        }
    }
}

impl Tested {
    /// Describes the mean with its interval in words.
    pub fn mean_in_words(&self) -> String {
        let Self {
            mean, low, high, ..
        } = self;
        match low.is_finite() {
            true => format!("{mean:+.2} points, 95 % interval {low:+.2} to {high:+.2}"),
            false => format!("{mean:+.2} points, too few for an interval"),
        }
    }

    /// Describes the verdict in words; `things` describes the observations, such as `1,500 games`.
    pub fn in_words(&self, things: &str) -> String {
        let Sprt { low, high } = self.sprt;
        let says = match self.verdict {
            SprtVerdict::Accepted => {
                format!("accepted: the results speak for {high:+}, not {low:+}")
            }
            SprtVerdict::Rejected => {
                format!("rejected: the results speak for {low:+}, not {high:+}")
            }
            SprtVerdict::Open => format!("open: neither {low:+} nor {high:+} is shown"),
        };
        format!(
            "Sequential test of {low:+} against {high:+} points, after {things}: LLR {:+.2}, {says}.",
            self.llr
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(values: &[f64], reach: f64) -> Observations {
        let mut seen = Observations::new(reach);
        values.iter().for_each(|&value| seen.add(value));
        seen
    }

    fn sprt(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn the_llr_is_that_of_the_formula() {
        // Mean 0.5, variance 1.25: 4 (1 - 0) (2 0.5 - 0 - 1) / 2.5 = 0, and 4 (0.5 - 0) (1 - 0.5) /
        // 2.5 = 0.4.
        let values = [-1.0, 0.0, 1.0, 2.0];
        assert_eq!(sprt("0:1").llr(&seen(&values, 0.0)), 0.0);
        assert!((sprt("0:0.5").llr(&seen(&values, 0.0)) - 0.4).abs() < 1e-12);
        // Two pseudo-observations at -1.5 and 2.5: the variance is (5 + 8) / 6.
        assert!(
            (sprt("0:0.5").llr(&seen(&values, 2.0)) - 4.0 * 0.5 * 0.5 / (2.0 * 13.0 / 6.0)).abs()
                < 1e-12
        );
        assert!((Sprt::bound() - libm::log(19.0)).abs() < 1e-12);
    }

    #[test]
    fn observations_that_are_all_alike_decide_only_where_their_reach_is_known() {
        let alike = [50.0; 40];
        assert_eq!(sprt("0:5").verdict(&seen(&alike, 0.0)), SprtVerdict::Open);
        assert_eq!(
            sprt("0:5").verdict(&seen(&alike, 50.0)),
            SprtVerdict::Accepted
        );
        assert_eq!(
            sprt("0:5").verdict(&seen(&alike[..19], 50.0)),
            SprtVerdict::Open
        );
        // 500 games without a difference hardly exclude a difference in one of a thousand games.
        assert_eq!(
            sprt("0:0.1").verdict(&seen(&[0.0; 500], 100.0)),
            SprtVerdict::Open
        );
    }
}
