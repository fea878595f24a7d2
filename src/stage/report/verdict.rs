//! Whether a paper's claim holds here: one comparison of a quantity with what the claim says, and one rule for several cases.

use serde::Deserialize;

use mineflow_document::{Estimate, PaperVerdict};

/// How a quantity is held against a claim. What is more or less than nothing is so by its interval.
#[derive(Clone, Copy, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Test {
    /// It is more than nothing: differs where it is shown to be less, partly where neither is shown.
    More,
    /// It is less than nothing, likewise.
    Less,
    /// It may be nothing.
    Same,
    /// It is not shown to be less than nothing.
    Reaches,
    /// It is shown to be more than nothing.
    Shown,
    /// Its value is above nothing: differs where it is shown to be less.
    Leads,
    /// It is more than nothing, and its value more than this.
    MuchMore(f64),
    /// Its whole interval is no farther from 0 than this; differs where all of it is farther.
    Equal(f64),
    /// Its value is no farther from 0 than this.
    Within(f64),
    /// Its value is at least the first; partly above the second.
    AtLeast([f64; 2]),
    /// Its value is at most the first; partly below the second.
    AtMost([f64; 2]),
    /// Its value lies between the two.
    Between([f64; 2]),
}

/// Limits of values hold but for rounding.
const ROUNDING: f64 = 1e-9;

impl Test {
    /// Of one case.
    pub(super) fn verdict(self, of: Estimate) -> PaperVerdict {
        use PaperVerdict::{Agrees, Differs, Partly};
        let Estimate { value, low, high } = of;
        let by_side = |[above, inside, below]: [PaperVerdict; 3]| match of {
            _ if of.is_above_zero() => above,
            _ if of.is_below_zero() => below,
            _ => inside,
        };
        let either = |agrees, partly| match (agrees, partly) {
            (true, _) => Agrees,
            (_, true) => Partly,
            _ => Differs,
        };
        match self {
            Self::More => by_side([Agrees, Partly, Differs]),
            Self::Less => by_side([Differs, Partly, Agrees]),
            Self::Same => by_side([Differs, Agrees, Differs]),
            Self::Reaches => by_side([Agrees, Agrees, Differs]),
            Self::Shown => by_side([Agrees, Differs, Differs]),
            Self::Leads => either(value > 0.0, !of.is_below_zero()),
            Self::MuchMore(least) => either(low > 0.0 && value > least, low > 0.0),
            Self::Equal(most) => either(low >= -most && high <= most, low <= most && high >= -most),
            Self::Within(most) => either(value.abs() <= most, false),
            Self::AtLeast([least, partly]) => either(value >= least, value > partly),
            Self::AtMost([most, partly]) => either(value <= most + ROUNDING, value <= partly + ROUNDING),
            Self::Between([least, most]) => either((least..=most).contains(&value), false),
        }
    }

    /// How far a value is beyond the limit, and the limit; nothing where the test has none.
    pub(super) fn beyond(self, value: f64) -> Option<(f64, f64)> {
        match self {
            Self::Same => Some((value.abs(), 0.0)),
            Self::MuchMore(least) | Self::AtLeast([least, _]) => Some((least - value, least)),
            Self::Equal(most) | Self::Within(most) => Some((value.abs() - most, most)),
            Self::AtMost([most, _]) => Some((value - most, most)),
            _ => None,
        }
    }
}

/// Of a claim on all of these cases: it agrees where each does, and differs where some do and none agrees.
pub(super) fn of_cases(cases: &[PaperVerdict]) -> PaperVerdict {
    let count = |verdict| cases.iter().filter(|case| **case == verdict).count();
    match (count(PaperVerdict::Agrees), count(PaperVerdict::Differs)) {
        (_, 0) if count(PaperVerdict::Partly) == 0 => PaperVerdict::Agrees,
        (0, 1..) => PaperVerdict::Differs,
        _ => PaperVerdict::Partly,
    }
}

#[cfg(test)]
mod tests {
    use super::PaperVerdict::{Agrees, Differs, Partly};
    use super::*;

    #[test]
    fn a_verdict_follows_the_interval_or_the_value() {
        let of = |value, low, high| Estimate { value, low, high };
        let (above, inside, below) = (of(0.03, 0.01, 0.05), of(0.01, -0.01, 0.03), of(-0.03, -0.05, -0.01));
        let three = |test: Test| [above, inside, below].map(|of| test.verdict(of));
        assert_eq!(three(Test::More), [Agrees, Partly, Differs]);
        assert_eq!(three(Test::Less), [Differs, Partly, Agrees]);
        assert_eq!(three(Test::Same), [Differs, Agrees, Differs]);
        assert_eq!(three(Test::Reaches), [Agrees, Agrees, Differs]);
        assert_eq!(three(Test::Shown), [Agrees, Differs, Differs]);
        assert_eq!(three(Test::Leads), [Agrees, Agrees, Differs]);
        assert_eq!(three(Test::MuchMore(0.04)), [Partly, Differs, Differs]);
        assert_eq!(three(Test::Equal(0.03)), [Partly, Agrees, Partly]);
        assert_eq!(Test::Equal(0.005).verdict(above), Differs);
        assert_eq!(three(Test::Within(0.02)), [Differs, Agrees, Differs]);
        assert_eq!(three(Test::AtLeast([0.02, 0.0])), [Agrees, Partly, Differs]);
        assert_eq!(three(Test::AtMost([-0.03, 0.02])), [Differs, Partly, Agrees]);
        assert_eq!(three(Test::Between([0.0, 0.02])), [Differs, Agrees, Differs]);
        assert_eq!(Test::AtMost([0.02, 0.1]).beyond(0.05), Some((0.05 - 0.02, 0.02)));
    }

    #[test]
    fn a_claim_on_several_cases_holds_where_each_does() {
        assert_eq!(of_cases(&[Agrees, Agrees]), Agrees);
        assert_eq!([of_cases(&[Agrees, Differs]), of_cases(&[Agrees, Partly])], [Partly, Partly]);
        assert_eq!([of_cases(&[Partly, Differs]), of_cases(&[Differs])], [Differs, Differs]);
        assert_eq!(of_cases(&[Partly]), Partly);
    }
}
