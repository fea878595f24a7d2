//! A test that stops by rule: games are played until they speak for one of two hypotheses, or there are no more.

use std::fmt::{self, Display};
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Z_95;
use crate::numbers::round;

/// How often the test may err, both ways: accept where the mean is LOW, and reject where it is HIGH.
const ERROR: f64 = 0.05;
/// Fewer observations decide nothing: their variance is not known well enough.
const LEAST: u64 = 20;

/// The generalised sequential probability ratio test that testers of chess engines use: is the mean of observations `low`, or is it
/// `high`? As text `LOW:HIGH`.
///
/// The logarithm of the likelihood ratio is `n (high - low) (2 mean - low - high) / (2 variance)`, the normal approximation of the
/// generalised ratio (M. Van den Bergh, A Practical Introduction to the GSPRT, equation 2.1). Fewer than 20
/// observations decide nothing. Where they have bounds, the variance is that with one more observation so far off to both sides: fishtest
/// adds a thousandth of one, which would take some equal games for a certainty. Where they have none and are all alike, the LLR is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    low: f64,
    high: f64,
}

/// What a test says of its observations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// They speak for the higher mean.
    Accepted,
    /// They speak for the lower mean.
    Rejected,
    /// For neither yet.
    Open,
}

/// What came of a test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Tested {
    #[serde(skip)]
    sprt: Sprt,
    pub verdict: SprtVerdict,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
    pub observations: u64,
    /// Of the observations, with the ends of its 95 % interval, which takes no account of when the test stopped.
    pub mean: f64,
    pub low: f64,
    pub high: f64,
}

/// Observations, summed up in their order.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Observations {
    count: u64,
    mean: f64,
    /// The sum of their squared distances from the mean.
    squares: f64,
    /// How far an observation can lie from the others' middle; 0 where that is not known.
    reach: f64,
}

/// A test under way, in rounds of as many observations each: it is asked after whole rounds alone, so that results depend on neither
/// threads nor interruptions.
#[derive(Clone, Debug)]
pub struct Rounds {
    sprt: Sprt,
    /// Observations of a round.
    length: u32,
    /// How many observations there may be.
    most: u32,
    /// Where the last round so far ends.
    end: u32,
    seen: Observations,
    is_over: bool,
}

impl Sprt {
    /// The setting that has it, of a stage and of its folder.
    pub const SETTING: &str = "sprt";

    /// The setting as folders note it.
    pub fn noted(self) -> (String, Value) {
        (Self::SETTING.to_owned(), self.to_string().into())
    }

    /// The LLR from which on it is accepted, and down to whose negative it is rejected.
    fn bound() -> f64 {
        ((1.0 - ERROR) / ERROR).ln()
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
            _ if seen.count < LEAST => SprtVerdict::Open,
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
        let ends = text
            .split_once(':')
            .and_then(|(low, high)| Some((number(low)?, number(high)?)));
        match ends.filter(|(low, high)| low < high) {
            Some((low, high)) => Ok(Self { low, high }),
            None => Err(format!(
                "`{text}` is not a test; write LOW:HIGH such as 0:1, LOW below HIGH"
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
            reach,
        }
    }

    fn add(&mut self, value: f64) {
        let from = value - self.mean;
        self.count += 1;
        self.mean += from / self.count as f64;
        self.squares += from * (value - self.mean);
    }

    /// As if two more lay `reach` to both sides of the mean: a few observations that are all alike don't show that no other can come.
    fn variance(&self) -> f64 {
        let more = if self.reach > 0.0 { 2.0 } else { 0.0 };
        (self.squares + more * self.reach * self.reach) / (self.count as f64 + more)
    }

    /// The standard error of the mean.
    fn error(&self) -> f64 {
        if self.count > 1 {
            (self.squares / (self.count - 1) as f64 / self.count as f64).sqrt()
        } else {
            0.0
        }
    }
}

impl Rounds {
    /// A test of at most `most` observations in rounds of `length`. None lies further than `reach` from the middle of what is possible;
    /// 0 where that is not known.
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

    /// How many observations the rounds so far have.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// How many observations there will be at most.
    pub fn most(&self) -> u32 {
        if self.is_over { self.end } else { self.most }
    }

    /// Whether the test has a verdict or all its observations.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Takes in the rounds of which all observations are there, up to the one after which the test is over. `observe` gives the
    /// observations of these numbers, none if one of them is missing.
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

    /// What the whole rounds say.
    pub fn tested(&self) -> Tested {
        let (seen, half) = (&self.seen, Z_95 * self.seen.error());
        Tested {
            sprt: self.sprt,
            verdict: self.sprt.verdict(seen),
            llr: round(self.sprt.llr(seen), 4),
            observations: seen.count,
            mean: round(seen.mean, 4),
            low: round(seen.mean - half, 4),
            high: round(seen.mean + half, 4),
        }
    }
}

impl Tested {
    /// The mean with its interval in words.
    pub fn mean_in_words(&self) -> String {
        let Self {
            mean, low, high, ..
        } = self;
        format!("{mean:+.2} points, 95 % interval {low:+.2} to {high:+.2}")
    }

    /// The verdict of this test in words; `things` are its observations, such as `1,500 games`.
    pub fn in_words(&self, things: &str) -> String {
        let Sprt { low, high } = self.sprt;
        let says = match self.verdict {
            SprtVerdict::Accepted => format!("accepted: {high:+} and not {low:+}"),
            SprtVerdict::Rejected => format!("rejected: {low:+} and not {high:+}"),
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

    use mineflow_rng::{Rng, Seed};
    use rand::RngExt;

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
        // Mean 0.5, variance 1.25: 4 (1 - 0) (2 0.5 - 0 - 1) / 2.5 = 0, and 4 (0.5 - 0) (1 - 0.5) / 2.5 = 0.4.
        let values = [-1.0, 0.0, 1.0, 2.0];
        assert_eq!(sprt("0:1").llr(&seen(&values, 0.0)), 0.0);
        assert!((sprt("0:0.5").llr(&seen(&values, 0.0)) - 0.4).abs() < 1e-12);
        // Two more at -1.5 and 2.5: the variance is (5 + 8) / 6.
        assert!(
            (sprt("0:0.5").llr(&seen(&values, 2.0)) - 4.0 * 0.5 * 0.5 / (2.0 * 13.0 / 6.0)).abs()
                < 1e-12
        );
        assert!((Sprt::bound() - 19f64.ln()).abs() < 1e-12);
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
        // 500 games without a difference say little on whether one in a thousand has one.
        assert_eq!(
            sprt("0:0.1").verdict(&seen(&[0.0; 500], 100.0)),
            SprtVerdict::Open
        );
    }

    #[test]
    fn texts_are_two_finite_numbers_in_order() {
        assert_eq!(
            ["0:1", "-1:0.5"].map(|text| sprt(text).to_string()),
            ["0:1", "-1:0.5"]
        );
        for wrong in ["1:0", "1:1", "1", "0:1:2", "NaN:1", "0:inf", "a:b", ""] {
            assert!(
                wrong.parse::<Sprt>().unwrap_err().contains("LOW:HIGH"),
                "{wrong}"
            );
        }
    }

    #[test]
    fn it_ends_with_the_round_that_decides_or_with_the_last_observation() {
        let rounds = |sprt: &str, most| {
            let mut rounds = Rounds::new(sprt.parse().unwrap(), 30, most, 1.0);
            // One by one: rounds that are not whole are not looked at.
            for there in 0..=most {
                rounds.advance(|range| {
                    let value = |index: u32| f64::from(index % 3) - 0.5;
                    (range.end <= there).then(|| range.map(value).collect())
                });
            }
            (
                rounds.end(),
                rounds.most(),
                rounds.is_over(),
                rounds.tested().verdict,
            )
        };
        assert_eq!(
            rounds("0.15:0.65", 1000),
            (60, 60, true, SprtVerdict::Accepted)
        );
        assert_eq!(
            rounds("0.35:0.85", 1000),
            (60, 60, true, SprtVerdict::Rejected)
        );
        assert_eq!(
            rounds("0.25:0.75", 100),
            (100, 100, true, SprtVerdict::Open)
        );
        let begun = Rounds::new(sprt("0:1"), 30, 100, 1.0);
        assert_eq!(
            (begun.end(), begun.most(), begun.is_over()),
            (30, 100, false)
        );
    }

    /// The share of 2,000 series with this verdict.
    fn share(of: SprtVerdict, rounds: &Rounds, observe: fn(&mut Rng) -> f64) -> f64 {
        let verdict = |series: u64| {
            let mut rounds = rounds.clone();
            let seed = Seed::new(5).child("series", series);
            // Observations follow their numbers, as those of games do.
            rounds.advance(|range| {
                let mut rng = seed.child("round", range.start.into()).rng();
                Some(range.map(|_| observe(&mut rng)).collect())
            });
            rounds.tested().verdict
        };
        (0..2000).filter(|&series| verdict(series) == of).count() as f64 / 2000.0
    }

    fn wins(rng: &mut Rng, percent: u32) -> f64 {
        f64::from(u8::from(rng.random_range(0..100_u32) < percent))
    }

    #[test]
    fn it_errs_about_one_time_in_twenty_both_ways() {
        let of_games = |test| Rounds::new(sprt(test), 500, 1_000_000, 100.0);
        let even = |rng: &mut Rng| 100.0 * (wins(rng, 40) - wins(rng, 40));
        let better = |rng: &mut Rng| 100.0 * (wins(rng, 42) - wins(rng, 40));
        let of_pairs = |test| Rounds::new(sprt(test), 10, 1_000_000, 50.0);
        let even_pair = |rng: &mut Rng| 100.0 * ((wins(rng, 50) + wins(rng, 50)) / 2.0 - 0.5);
        let of_boards = |test| Rounds::new(sprt(test), 5, 1_000_000, 0.0);
        // About normal, with a deviation of 100.
        let even_board = |rng: &mut Rng| {
            100.0
                * ((0..12).map(|_| rng.random_range(0..1000_u32)).sum::<u32>() as f64 / 999.0 - 6.0)
        };
        for (what, share) in [
            (
                "accepted at LOW",
                share(SprtVerdict::Accepted, &of_games("0:2"), even),
            ),
            (
                "rejected at HIGH",
                share(SprtVerdict::Rejected, &of_games("0:2"), better),
            ),
            (
                "pairs accepted at LOW",
                share(SprtVerdict::Accepted, &of_pairs("0:10"), even_pair),
            ),
            (
                "boards accepted at LOW",
                share(SprtVerdict::Accepted, &of_boards("0:40"), even_board),
            ),
            (
                "boards rejected at HIGH",
                share(SprtVerdict::Rejected, &of_boards("-40:0"), even_board),
            ),
        ] {
            assert!((0.01..0.07).contains(&share), "{what}: {share}");
        }
    }
}
