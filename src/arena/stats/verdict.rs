//! The verdict on a comparison of two players.

use super::{
    paired::{Paired, PairedMean},
    sequential::SprtVerdict,
};
use crate::Confidence;
use mineflow_store::named;

/// The verdict on a comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The first player wins more often, at the requested confidence.
    AStronger,
    /// The second player wins more often, at the requested confidence.
    BStronger,
    /// Neither player is shown to win more often.
    NoDifferenceShown,
    /// The sequential test accepts the higher difference.
    Accepted,
    /// The sequential test rejects the higher difference in favour of the lower one.
    Rejected,
    /// All games are played, and the sequential test is undecided.
    Open,
}

named!(Verdict, "verdict": AStronger = "a_stronger", BStronger = "b_stronger", NoDifferenceShown = "no_difference_shown",
    Accepted = "accepted", Rejected = "rejected", Open = "open");

impl Verdict {
    /// Returns the verdict of a sequential test.
    pub fn of_test(verdict: SprtVerdict) -> Self {
        match verdict {
            SprtVerdict::Accepted => Self::Accepted,
            SprtVerdict::Rejected => Self::Rejected,
            SprtVerdict::Open => Self::Open,
        }
    }

    /// Returns the verdict by p-value, using the luck-corrected difference if luck was measured.
    pub fn of_all_games(
        paired: Paired,
        corrected: Option<PairedMean>,
        confidence: Confidence,
    ) -> Self {
        let p_value = corrected.map_or_else(|| paired.p_value(), |mean| mean.p_value());
        match p_value < confidence.p_value() {
            true if corrected.map_or(paired.only_a > paired.only_b, |mean| mean.mean > 0.0) => {
                Self::AStronger
            }
            true => Self::BStronger,
            false => Self::NoDifferenceShown,
        }
    }
}
