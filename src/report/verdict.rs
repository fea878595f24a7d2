//! The verdict on a paper's claim: what the interval of a quantity shows, by one rule for all claims.
//!
//! A claim is a comparison with a margin that stands beside it, and it is tested on quantities that have a 95 % interval, or are exact counts.
//!
//! | comparison | agrees where the interval lies | differs where it lies |
//! |---|---|---|
//! | `more` | above the margin | below it |
//! | `less` | below the margin | above it |
//! | `equal` | within the margin on either side of 0 | outside as a whole, on one side |
//!
//! Where a sequential test ended a series, the interval counts all the same: that a test between 5 points behind and 5 ahead accepts the second
//! does not show that the first is ahead.
//!
//! Between the two nothing is shown. No value counts without its interval, and no number of values whose intervals hold the margin is evidence.
//! A claim on several cases agrees where each does, and differs where one does; each case is held against its own 95 % interval.

use std::fmt;

use serde::Deserialize;

use crate::page::PaperVerdict;
use mineflow_arena::Estimate;

/// How a quantity is held against a margin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Comparison {
    More,
    Less,
    Equal,
}

impl Comparison {
    /// Of one case.
    pub(super) fn verdict(self, of: Estimate, margin: f64) -> PaperVerdict {
        let Estimate { low, high, .. } = of;
        let (is_shown, is_refuted) = match self {
            Self::More => (low > margin, high < margin),
            Self::Less => (high < margin, low > margin),
            Self::Equal => (
                low >= -margin && high <= margin,
                low > margin || high < -margin,
            ),
        };
        match (is_shown, is_refuted) {
            (true, _) => PaperVerdict::Agrees,
            (_, true) => PaperVerdict::Differs,
            _ => PaperVerdict::NotShown,
        }
    }

    /// How far a value is on the wrong side of the margin.
    pub(super) fn beyond(self, value: f64, margin: f64) -> f64 {
        match self {
            Self::More => margin - value,
            Self::Less => value - margin,
            Self::Equal => value.abs() - margin,
        }
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::More => "more",
            Self::Less => "less",
            Self::Equal => "equal",
        })
    }
}

/// Of a claim on all of these cases. One that was not run leaves open whether the claim holds, but not that it fails elsewhere.
pub(super) fn of_cases(cases: &[PaperVerdict]) -> PaperVerdict {
    let all = |verdict| cases.iter().all(|case| *case == verdict);
    match () {
        () if all(PaperVerdict::NotRun) => PaperVerdict::NotRun,
        () if all(PaperVerdict::Agrees) => PaperVerdict::Agrees,
        () if cases.contains(&PaperVerdict::Differs) => PaperVerdict::Differs,
        () => PaperVerdict::NotShown,
    }
}

#[cfg(test)]
mod tests {
    use super::PaperVerdict::{Agrees, Differs, NotRun, NotShown};
    use super::*;

    #[test]
    fn a_verdict_is_what_the_interval_shows() {
        let of = |low, high| Estimate {
            value: (low + high) / 2.0,
            low,
            high,
        };
        let (above, inside, below) = (of(0.01, 0.05), of(-0.01, 0.03), of(-0.05, -0.01));
        let three = |comparison: Comparison, margin| {
            [above, inside, below].map(|of| comparison.verdict(of, margin))
        };
        assert_eq!(three(Comparison::More, 0.0), [Agrees, NotShown, Differs]);
        assert_eq!(three(Comparison::Less, 0.0), [Differs, NotShown, Agrees]);
        // A value above the margin is nothing as long as its interval holds it.
        assert_eq!(three(Comparison::More, 0.02), [NotShown, NotShown, Differs]);
        assert_eq!(three(Comparison::More, 0.04), [NotShown, Differs, Differs]);
        assert_eq!(three(Comparison::Less, -0.02), [Differs, Differs, NotShown]);
        assert_eq!(three(Comparison::Equal, 0.03), [NotShown, Agrees, NotShown]);
        assert_eq!(
            three(Comparison::Equal, 0.005),
            [Differs, NotShown, Differs]
        );
        // An interval that holds 0 does not show that two are equal.
        assert_eq!(Comparison::Equal.verdict(of(-0.2, 0.2), 0.1), NotShown);
        assert_eq!(Comparison::Equal.verdict(of(0.0, 0.0), 0.0), Agrees);
        assert_eq!(
            (
                Comparison::Equal.beyond(-0.05, 0.02),
                Comparison::More.beyond(0.5, 2.0)
            ),
            (0.05 - 0.02, 1.5)
        );
    }

    #[test]
    fn a_claim_on_several_cases_holds_where_each_does_and_fails_where_one_does() {
        assert_eq!(of_cases(&[Agrees, Agrees]), Agrees);
        assert_eq!(
            [of_cases(&[Agrees, NotShown]), of_cases(&[Agrees, NotRun])],
            [NotShown, NotShown]
        );
        assert_eq!(
            [
                of_cases(&[Agrees, Differs]),
                of_cases(&[NotRun, Differs, NotShown])
            ],
            [Differs, Differs]
        );
        assert_eq!(
            [of_cases(&[NotRun, NotRun]), of_cases(&[])],
            [NotRun, NotRun]
        );
    }
}
