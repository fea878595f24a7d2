//! What a comparison of two players shows.

use super::paired::{Paired, PairedMean};
use super::sequential::SprtVerdict;
use crate::Confidence;
use mineflow_store::named;

/// What a comparison shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The first player wins more often, at the confidence that is asked for.
    AStronger,
    /// The second player does.
    BStronger,
    /// Neither is shown to win more often.
    NoDifferenceShown,
    /// The sequential test that was asked for accepts its higher difference.
    Accepted,
    /// It rejects that for the lower one.
    Rejected,
    /// All games are played, and it has decided for neither.
    Open,
}

named!(Verdict, "verdict": AStronger = "a_stronger", BStronger = "b_stronger", NoDifferenceShown = "no_difference_shown",
    Accepted = "accepted", Rejected = "rejected", Open = "open");

impl Verdict {
    /// That of a sequential test.
    pub fn of_test(verdict: SprtVerdict) -> Self {
        match verdict {
            SprtVerdict::Accepted => Self::Accepted,
            SprtVerdict::Rejected => Self::Rejected,
            SprtVerdict::Open => Self::Open,
        }
    }

    /// By p; the difference without luck counts where that was measured.
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
