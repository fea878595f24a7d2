//! The comparison of two players by the games that both have played.

use super::{
    paired::{Paired, PairedMean},
    sequential::Tested,
    verdict::Verdict,
};
use crate::{Confidence, Estimate, Ledger};

/// The comparison of a first player with a second one by the same games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Comparison {
    pub paired: Paired,
    /// The difference in win rate with its interval.
    pub raw: Estimate,
    /// The mean luck-corrected difference; `None` if luck was not measured.
    pub corrected: Option<PairedMean>,
    /// The mean luck-corrected difference, if it [improves](PairedMean::improves) on `raw`.
    pub better: Option<PairedMean>,
    /// The mean luck that the correction subtracts; `None` if luck was not measured.
    pub luck: Option<PairedMean>,
    /// The result of the sequential test, if there is one.
    pub test: Option<Tested>,
    pub verdict: Verdict,
}

impl Comparison {
    /// Compares configuration `a` of the first half of the ledger with its partner in the second.
    /// The verdict is that of the sequential test if there is one.
    ///
    /// # Panics
    /// Panics if the first half of the ledger has no configuration `a`.
    pub fn of(ledger: &Ledger, a: usize, confidence: Confidence) -> Self {
        let first = &ledger.tallies()[a];
        let second = &ledger.tallies()[a + ledger.tallies().len() / 2];
        let paired = Paired::of_bits(first.won(), second.won(), first.games);
        let raw = paired.interval(confidence);
        let corrected = mean_difference(first.corrected(), second.corrected());
        let better = corrected.filter(|mean| mean.improves(raw, confidence));
        let test = ledger.test(a);
        Self {
            paired,
            raw,
            corrected,
            better,
            luck: mean_difference(first.luck(), second.luck()),
            test,
            verdict: match test {
                Some(tested) => Verdict::of_test(tested.verdict),
                None => Verdict::of_all_games(paired, better, confidence),
            },
        }
    }

    /// Returns the number of games that would show a difference of the measured size with a power
    /// of 80 %, or `None` if a difference is shown or none is measured.
    pub fn games_to_settle(&self, confidence: Confidence) -> Option<u64> {
        match self.better {
            _ if self.verdict != Verdict::NoDifferenceShown => None,
            Some(mean) => mean.games_to_settle(confidence),
            None => self.paired.games_to_settle(confidence),
        }
    }
}

/// Returns the mean of the differences between the values of two players, game by game.
fn mean_difference<I: Iterator<Item = f64> + Clone>(
    first: Option<I>,
    second: Option<I>,
) -> Option<PairedMean> {
    let pairs = first?.zip(second?);
    Some(PairedMean::of(pairs.map(|(a, b)| a - b)))
}
