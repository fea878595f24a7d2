//! The lines of a journal of Minesweeper games: results of ranges of games, and their cost.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use mineflow_minesweeper::player::{GameEnd, Outcome};

/// The maximum number of games in one record.
pub(super) const RECORD_GAMES: u32 = u64::BITS;

/// The results of a range of games of one configuration, without times.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The index of the configuration in the plan.
    pub configuration: usize,
    /// The index of the first game of the range.
    pub first: u32,
    /// The number of games in the range, at least 1.
    pub games: u32,
    /// Wins, 64 games per word: bit `i` of word `w` is set if game `first + 64 w + i` was won.
    /// Written as hexadecimal digits, 16 per word.
    #[serde(with = "digits")]
    pub won: Vec<u64>,
    /// The number of games not won because a limit was reached.
    pub timeouts: u32,
    pub guesses: u64,
    /// The luck of each game in units of 2^-24 wins, if it is measured. Written as hexadecimal
    /// digits, 8 per game.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "digits")]
    pub luck: Vec<i32>,
}

/// The number of luck units in a win. Sums of these integers are exact in any order.
pub(super) const LUCK_UNITS: f64 = (1 << 24) as f64;

/// The cost of some games of a configuration.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// The index of the configuration in the plan.
    pub configuration: usize,
    /// CPU time of these games, in seconds.
    pub cpu_seconds: f64,
    /// Wall-clock time of these games, in seconds.
    pub wall_seconds: f64,
    /// The number of nodes that the players used of their budgets; 0 in folders written before
    /// nodes were counted.
    #[serde(default)]
    pub nodes: u64,
}

impl Record {
    /// Creates a record without games, which starts at game `first`.
    pub fn new(configuration: usize, first: u32) -> Self {
        Self {
            configuration,
            first,
            games: 0,
            won: Vec::new(),
            timeouts: 0,
            guesses: 0,
            luck: Vec::new(),
        }
    }

    /// Adds the next game, and its luck if luck is measured.
    pub fn add(&mut self, outcome: Outcome, measures_luck: bool) {
        if measures_luck {
            self.luck.push((outcome.luck * LUCK_UNITS).round() as i32);
        }
        let word = self.games as usize / 64;
        let bit = self.games % 64;
        if word == self.won.len() {
            self.won.push(0);
        }
        self.won[word] |= u64::from(outcome.end == GameEnd::Won) << bit;
        self.timeouts += u32::from(outcome.end == GameEnd::TimedOut);
        self.guesses += u64::from(outcome.guesses);
        self.games += 1;
    }

    /// Checks that the record is consistent and lies within the range of games `of`.
    ///
    /// # Errors
    /// Returns a description of the fault.
    pub(super) fn check(&self, of: &Range<u32>) -> Result<(), String> {
        let games = self.games;
        let bits = 64 * self.won.len();
        if games == 0 || self.won.len() != games.div_ceil(64) as usize {
            return Err(format!("it has {bits} bits for {games} games"));
        }
        let first = self.first;
        let end = u64::from(first) + u64::from(games);
        if first < of.start || end > u64::from(of.end) {
            return Err(format!(
                "it names games {first} to {end}, and there are {} to {}",
                of.start, of.end
            ));
        }
        let luck = self.luck.len();
        if luck != 0 && luck != games as usize {
            return Err(format!("it has the luck of {luck} of its {games} games"));
        }
        let unused = bits as u32 - games;
        let last = self.won.last().copied().unwrap_or_default();
        if last & !(u64::MAX >> unused) != 0
            || self.wins() + u64::from(self.timeouts) > u64::from(games)
        {
            return Err(format!(
                "its wins and time-outs are more than its {games} games"
            ));
        }
        Ok(())
    }

    /// Returns the number of games won.
    pub(super) fn wins(&self) -> u64 {
        self.won
            .iter()
            .map(|word| u64::from(word.count_ones()))
            .sum()
    }
}

/// Serialises integers as hexadecimal digits, two per byte, since many JSON readers keep only 53
/// bits of a number.
mod digits {
    use std::fmt::LowerHex;

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// A fixed-width integer. A negative one is written as its two's complement.
    pub(super) trait Word: LowerHex {
        fn of_bits(bits: u64) -> Self;
    }

    impl Word for u64 {
        fn of_bits(bits: u64) -> Self {
            bits
        }
    }

    impl Word for i32 {
        fn of_bits(bits: u64) -> Self {
            bits as Self
        }
    }

    pub(super) fn serialize<W: Word, S: Serializer>(
        words: &[W],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let digits = 2 * size_of::<W>();
        serializer.serialize_str(
            &words
                .iter()
                .map(|word| format!("{word:0digits$x}"))
                .collect::<String>(),
        )
    }

    pub(super) fn deserialize<'de, W: Word, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<W>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = 2 * size_of::<W>();
        let word = |word: &[u8]| {
            let word = std::str::from_utf8(word)
                .ok()
                .filter(|word| word.len() == digits)?;
            u64::from_str_radix(word, 16).ok().map(W::of_bits)
        };
        let words = text
            .as_bytes()
            .chunks(digits)
            .map(word)
            .collect::<Option<_>>();
        words.ok_or_else(|| {
            D::Error::custom(format!(
                "`{text}` is not a row of words of {digits} hexadecimal digits"
            ))
        })
    }
}
