//! The results of one configuration.

use std::ops::Range;

use super::{Confidence, Estimate, PairedMean, ledger::ROUND, record::LUCK_UNITS};

/// A win rate, 0 to 1, with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinRate {
    pub raw: Estimate,
    /// The luck-corrected win rate, which may lie outside 0 to 1; `None` if luck was not measured.
    pub corrected: Option<f64>,
    /// The luck-corrected win rate with its interval, clipped to 0 and 1; `None` if the raw
    /// interval is the better one.
    pub interval: Option<Estimate>,
}

/// The results of one configuration. Its bits extend only to the last game played, so that unplayed
/// games take no memory.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub(super) done: Vec<u64>,
    pub(super) won: Vec<u64>,
    pub(super) luck: Vec<i32>,
    pub games: u64,
    pub wins: u64,
    pub timeouts: u64,
    pub guesses: u64,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
    pub nodes: u64,
    /// The sums of timeouts and guesses by round, by which [`Tally::cut`] cuts a tally.
    pub(super) rounds: Vec<(u64, u64)>,
}

impl Tally {
    /// Removes the games from a round's `end` on.
    pub(super) fn cut(&mut self, end: u32) {
        for words in [&mut self.done, &mut self.won] {
            words.truncate(end.div_ceil(u64::BITS) as usize);
            if let Some(last) = words.get_mut(end as usize / 64) {
                *last &= (1 << (end % 64)) - 1;
            }
        }
        self.luck.truncate(end as usize);
        self.rounds.truncate(end.div_ceil(ROUND) as usize);
        let ones = |words: &[u64]| words.iter().map(|word| u64::from(word.count_ones())).sum();
        (self.games, self.wins) = (ones(&self.done), ones(&self.won));
        self.timeouts = self.rounds.iter().map(|sums| sums.0).sum();
        self.guesses = self.rounds.iter().map(|sums| sums.1).sum();
    }

    /// Returns one bit per game, set if the game was won: 64 games per word, game 0 in the lowest
    /// bit of the first word, up to the last game played.
    pub fn won(&self) -> &[u64] {
        &self.won
    }

    /// Returns whether a game was played and won.
    pub fn has_won(&self, game: u32) -> bool {
        bit(&self.won, game)
    }

    /// Returns the luck-corrected result of each game: 1 for a win and 0 otherwise, minus the
    /// game's luck. Returns `None` if luck was not measured.
    pub fn corrected(&self) -> Option<impl Iterator<Item = f64> + Clone + '_> {
        let games = self.luck.len() as u32;
        (games > 0).then(|| (0..games).map(|game| self.corrected_result(game)))
    }

    /// Returns the win rate with its 95 % interval and, if luck was measured, the luck-corrected
    /// one.
    ///
    /// The interval is Wilson's without luck correction. With it, the luck-corrected interval is
    /// the better one in long series. If it [doesn't improve](PairedMean::improves) on the raw one,
    /// the raw interval is the exact one.
    pub fn win_rate(&self) -> WinRate {
        let raw = Estimate::of_wins(self.wins, self.games);
        let corrected = self.corrected().map(PairedMean::of);
        let interval = corrected
            .filter(|mean| mean.improves(raw, Confidence::default()))
            .map(|mean| mean.interval(Confidence::default()).clipped());
        WinRate {
            raw: if interval.is_none() && corrected.is_some() {
                Estimate::exact(self.wins, self.games)
            } else {
                raw
            },
            corrected: corrected.map(|mean| mean.mean),
            interval,
        }
    }

    /// Returns the luck of each game, which [`Tally::corrected`] subtracts. Returns `None` if luck
    /// was not measured.
    pub fn luck(&self) -> Option<impl Iterator<Item = f64> + Clone + '_> {
        let luck = |&luck: &i32| f64::from(luck) / LUCK_UNITS;
        (!self.luck.is_empty()).then(|| self.luck.iter().map(luck))
    }

    /// Returns the result of a game: 1 for a win and 0 otherwise, minus the game's luck if it was
    /// measured.
    pub(super) fn corrected_result(&self, game: u32) -> f64 {
        let luck = self.luck.get(game as usize).copied().unwrap_or_default();
        f64::from(u8::from(self.has_won(game))) - f64::from(luck) / LUCK_UNITS
    }
}

/// Returns these bits of an array of words, in words of their own.
pub(super) fn words(of: &[u64], bits: Range<u32>) -> Vec<u64> {
    let word = |first: u32| {
        let bits = first..bits.end.min(first.saturating_add(64));
        bits.map(|index| u64::from(bit(of, index)) << (index - first))
            .sum()
    };
    bits.clone().step_by(64).map(word).collect()
}

/// Returns a bit of an array of words; bits beyond its end are 0.
pub(super) fn bit(words: &[u64], index: u32) -> bool {
    words
        .get(index as usize / 64)
        .is_some_and(|word| word >> (index % 64) & 1 == 1)
}
