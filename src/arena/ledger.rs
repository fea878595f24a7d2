//! What has been played: one bit a game, and sums.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use mineflow_minesweeper::player::{GameEnd, Outcome};

/// The most games that a worker plays for one record.
pub(super) const RECORD_GAMES: u32 = u64::BITS;

/// A range of games of one configuration. Says nothing of time.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Index of the configuration in the plan.
    pub configuration: usize,
    /// Index of the first game.
    pub first: u32,
    /// Number of games, at least 1.
    pub games: u32,
    /// 64 games a word: bit `i` of word `w` is set if game `first + 64 w + i` was won. Written as hexadecimal digits, 16 a word.
    #[serde(with = "hexadecimal")]
    pub won: Vec<u64>,
    /// Games not won because a limit was reached.
    pub timeouts: u32,
    pub guesses: u64,
    /// The luck of each game in units of 2^-24 wins, where it is measured. Written as hexadecimal digits, 8 a game.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "luck_digits")]
    pub luck: Vec<i32>,
}

/// Units of luck in a win: luck adds up exactly, in whatever order.
const LUCK_UNITS: f64 = (1 << 24) as f64;

/// What some games of a configuration took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Index of the configuration in the plan.
    pub configuration: usize,
    /// Processor time.
    pub cpu_seconds: f64,
    /// Time as a clock shows it.
    pub wall_seconds: f64,
}

impl Record {
    /// The record of no game yet, the next being `first`.
    pub(super) fn new(configuration: usize, first: u32) -> Self {
        Self { configuration, first, games: 0, won: Vec::new(), timeouts: 0, guesses: 0, luck: Vec::new() }
    }

    /// Takes in the next game.
    #[inline]
    pub(super) fn add(&mut self, outcome: Outcome, measures_luck: bool) {
        if measures_luck {
            self.luck.push((outcome.luck * LUCK_UNITS).round() as i32);
        }
        let (word, bit) = (self.games as usize / 64, self.games % 64);
        if word == self.won.len() {
            self.won.push(0);
        }
        self.won[word] |= u64::from(outcome.end == GameEnd::Won) << bit;
        self.timeouts += u32::from(outcome.end == GameEnd::TimedOut);
        self.guesses += u64::from(outcome.guesses);
        self.games += 1;
    }
}

/// Why a record can't be true.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    #[error("it tells of configuration {0}, and there are {1}")]
    Configuration(usize, usize),
    #[error("it tells of games {first} to {end}, and there are {} to {}", games.start, games.end)]
    Range { first: u32, end: u64, games: Range<u32> },
    #[error("it tells of {0} games with {1} bits")]
    Count(u32, usize),
    #[error("it tells of game {0} again")]
    Twice(u32),
    #[error("its wins and time-outs are more than its {0} games")]
    Wins(u32),
    #[error("it tells of the luck of {0} of its {1} games")]
    Luck(usize, u32),
    #[error("a time of it is not a duration")]
    Time,
}

/// The sums of one configuration. Its bits reach as far as games were played, so that a series to be played costs
/// nothing.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    done: Vec<u64>,
    won: Vec<u64>,
    luck: Vec<i32>,
    pub games: u64,
    pub wins: u64,
    pub timeouts: u64,
    pub guesses: u64,
    pub cpu_seconds: f64,
    pub wall_seconds: f64,
}

impl Tally {
    /// Whether each game was won, 64 games a word, game 0 in the lowest bit of the first; up to the last one played.
    pub fn won(&self) -> &[u64] {
        &self.won
    }

    /// What each game counts once its luck is taken off, game by game: 1 for a win and 0 for none, less the luck; `None` where luck
    /// was not measured.
    pub fn corrected(&self) -> Option<impl Iterator<Item = f64> + Clone + '_> {
        let end = |game: usize| f64::from(u8::from(bit(&self.won, game as u32)));
        let corrected = move |(game, &luck): (usize, &i32)| end(game) - f64::from(luck) / LUCK_UNITS;
        (!self.luck.is_empty()).then(|| self.luck.iter().enumerate().map(corrected))
    }

    fn is_done(&self, game: u32) -> bool {
        bit(&self.done, game)
    }
}

/// What has been played of every configuration.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The games of each configuration; they begin with a whole word.
    games: Range<u32>,
    tallies: Vec<Tally>,
}

impl Ledger {
    /// An empty ledger for `configurations` of these games each.
    ///
    /// # Panics
    /// If they don't begin with game 0, 64, 128 ...
    pub fn new(configurations: usize, games: Range<u32>) -> Self {
        assert!(games.start.is_multiple_of(RECORD_GAMES), "a part begins with a whole word");
        Self { games, tallies: vec![Tally::default(); configurations] }
    }

    /// The sums of every configuration, in the order of the plan.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Games played, all configurations together.
    pub fn played(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.games).sum()
    }

    /// Games won, all configurations together.
    pub fn won(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.wins).sum()
    }

    /// Games to play, all configurations together.
    pub fn planned(&self) -> u64 {
        self.tallies.len() as u64 * u64::from(self.games.end - self.games.start)
    }

    /// Takes in a record.
    ///
    /// # Errors
    /// If it contradicts the plan or what was played before; the ledger is then unchanged.
    pub fn add(&mut self, record: &Record) -> Result<(), RecordError> {
        let configurations = self.tallies.len();
        let tally = self
            .tallies
            .get_mut(record.configuration)
            .ok_or(RecordError::Configuration(record.configuration, configurations))?;
        check(record, &self.games)?;
        let range = record.first..record.first + record.games;
        if let Some(again) = range.clone().find(|&game| tally.is_done(game)) {
            return Err(RecordError::Twice(again));
        }
        let words = range.end.div_ceil(u64::BITS) as usize;
        if tally.done.len() < words {
            tally.done.resize(words, 0);
            tally.won.resize(words, 0);
        }
        if !record.luck.is_empty() {
            tally.luck.resize(tally.luck.len().max(range.end as usize), 0);
            tally.luck[range.start as usize..range.end as usize].copy_from_slice(&record.luck);
        }
        for (i, game) in range.enumerate() {
            let (word, bit) = (game as usize / 64, game % 64);
            tally.done[word] |= 1 << bit;
            tally.won[word] |= (record.won[i / 64] >> (i % 64) & 1) << bit;
        }
        tally.games += u64::from(record.games);
        tally.wins += wins(&record.won);
        tally.timeouts += u64::from(record.timeouts);
        tally.guesses += record.guesses;
        Ok(())
    }

    /// Takes in what games took.
    ///
    /// # Errors
    /// If no configuration has this index, and a time that is not a duration.
    pub fn add_cost(&mut self, cost: &Cost) -> Result<(), RecordError> {
        let configurations = self.tallies.len();
        let tally = self.tallies.get_mut(cost.configuration);
        let tally = tally.ok_or(RecordError::Configuration(cost.configuration, configurations))?;
        let is_duration = |seconds: f64| seconds.is_finite() && seconds >= 0.0;
        if !is_duration(cost.cpu_seconds) || !is_duration(cost.wall_seconds) {
            return Err(RecordError::Time);
        }
        tally.cpu_seconds += cost.cpu_seconds;
        tally.wall_seconds += cost.wall_seconds;
        Ok(())
    }

    /// One record for all games of each configuration, which are all played: the same however they were played.
    pub(super) fn whole(&self) -> impl Iterator<Item = Record> {
        let Range { start, end } = self.games;
        self.tallies.iter().enumerate().filter(move |_| start < end).map(move |(configuration, tally)| Record {
            games: end - start,
            won: tally.won[(start / RECORD_GAMES) as usize..].to_vec(),
            timeouts: tally.timeouts as u32,
            guesses: tally.guesses,
            luck: tally.luck.get(start as usize..).unwrap_or_default().to_vec(),
            ..Record::new(configuration, start)
        })
    }

    /// The ranges still to play as of now, in order.
    pub(super) fn missing(&self, workers: usize) -> Missing {
        Missing {
            done: self.tallies.iter().map(|tally| tally.done.clone()).collect(),
            games: self.games.clone(),
            workers: workers as u64,
            left: self.planned() - self.played(),
            configuration: 0,
            game: self.games.start,
        }
    }
}

/// Ranges of games to play, found as they are asked for: configuration, first game, end. Each has at most 64 games, and
/// near the end of the work fewer, so that the workers finish together.
#[derive(Debug)]
pub(super) struct Missing {
    /// What was done before, by configuration.
    done: Vec<Vec<u64>>,
    games: Range<u32>,
    workers: u64,
    /// Games not handed out yet.
    left: u64,
    /// Where to look next.
    configuration: usize,
    game: u32,
}

impl Iterator for Missing {
    type Item = (usize, u32, u32);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(done) = self.done.get(self.configuration) {
            let first = first_undone(done, self.game);
            if first >= self.games.end {
                (self.configuration, self.game) = (self.configuration + 1, self.games.start);
                continue;
            }
            let longest = (self.left / (4 * self.workers)).clamp(1, u64::from(RECORD_GAMES)) as u32;
            let most = first + longest.min(self.games.end - first);
            let end = (first..most).find(|&game| bit(done, game)).unwrap_or(most);
            self.left -= u64::from(end - first);
            self.game = end;
            return Some((self.configuration, first, end));
        }
        None
    }
}

/// The first game from `from` on that is not done.
fn first_undone(done: &[u64], from: u32) -> u32 {
    let mut game = from;
    while let Some(word) = done.get(game as usize / 64) {
        let undone = !word >> (game % 64);
        if undone != 0 {
            return game + undone.trailing_zeros();
        }
        game = (game / 64 + 1).saturating_mul(64);
    }
    game
}

fn check(record: &Record, games: &Range<u32>) -> Result<(), RecordError> {
    if record.games == 0 || record.won.len() != record.games.div_ceil(64) as usize {
        return Err(RecordError::Count(record.games, 64 * record.won.len()));
    }
    let end = u64::from(record.first) + u64::from(record.games);
    if record.first < games.start || end > u64::from(games.end) {
        return Err(RecordError::Range { first: record.first, end, games: games.clone() });
    }
    if !record.luck.is_empty() && record.luck.len() != record.games as usize {
        return Err(RecordError::Luck(record.luck.len(), record.games));
    }
    let unused = 64 * record.won.len() as u32 - record.games;
    let beyond = record.won.last().is_some_and(|&last| last & !(u64::MAX >> unused) != 0);
    if beyond || wins(&record.won) + u64::from(record.timeouts) > u64::from(record.games) {
        return Err(RecordError::Wins(record.games));
    }
    Ok(())
}

fn wins(won: &[u64]) -> u64 {
    won.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// A bit of a row of words that has zeros from its end on.
fn bit(words: &[u64], index: u32) -> bool {
    words.get(index as usize / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

/// Words as 16 hexadecimal digits each: JSON readers elsewhere keep 53 bits of a number.
mod hexadecimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(words: &[u64], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&words.iter().map(|word| format!("{word:016x}")).collect::<String>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let word = |digits: &[u8]| {
            let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == 16);
            digits.and_then(|digits| u64::from_str_radix(digits, 16).ok())
        };
        let words = text.as_bytes().chunks(16).map(word).collect::<Option<_>>();
        words.ok_or_else(|| D::Error::custom(format!("`{text}` is not a row of words of 16 hexadecimal digits")))
    }
}

/// Luck as 8 hexadecimal digits a game, those of a negative number as a 32-bit word.
mod luck_digits {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(luck: &[i32], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&luck.iter().map(|luck| format!("{luck:08x}")).collect::<String>())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<i32>, D::Error> {
        let text = String::deserialize(deserializer)?;
        let number = |digits: &[u8]| {
            let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.len() == 8);
            digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).map(u32::cast_signed)
        };
        let luck = text.as_bytes().chunks(8).map(number).collect::<Option<_>>();
        luck.ok_or_else(|| D::Error::custom("the luck of its games is not written as 8 hexadecimal digits each"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(first: u32, games: u32, won: u64) -> Record {
        Record { games, won: vec![won; games.div_ceil(64) as usize], ..Record::new(0, first) }
    }

    #[test]
    fn missing_ranges_and_records_cover_every_game_once() {
        let mut ledger = Ledger::new(2, 0..1000);
        ledger.add(&record(100, 64, 5)).unwrap();
        ledger.add(&record(999, 1, 1)).unwrap();
        for (configuration, first, end) in ledger.missing(3) {
            ledger.add(&Record { configuration, ..record(first, end - first, 0) }).unwrap();
        }
        assert_eq!(ledger.played(), 2000);
        assert_eq!(ledger.missing(3).next(), None);
        assert_eq!((0..1000).filter(|&g| bit(ledger.tallies()[0].won(), g)).collect::<Vec<_>>(), [100, 102, 999]);
    }

    #[test]
    fn the_games_of_a_part_are_played_and_kept_as_such() {
        let mut ledger = Ledger::new(2, 128..300);
        assert_eq!(ledger.add(&record(64, 64, 0)), Err(RecordError::Range { first: 64, end: 128, games: 128..300 }));
        for (configuration, first, end) in ledger.missing(3) {
            ledger.add(&Record { configuration, ..record(first, end - first, 1) }).unwrap();
        }
        assert_eq!((ledger.played(), ledger.planned()), (344, 344));
        let whole: Vec<_> = ledger.whole().collect();
        assert_eq!(whole.iter().map(|record| (record.first, record.games)).collect::<Vec<_>>(), [(128, 172); 2]);
        let mut all = Ledger::new(2, 0..300);
        whole.iter().for_each(|record| all.add(record).unwrap());
        assert_eq!(all.tallies()[1].won()[2] & 1, 1);
    }

    #[test]
    fn games_done_before_are_passed_over_whole_words_at_a_time() {
        let mut ledger = Ledger::new(2, 0..300);
        for first in [0, 64, 128] {
            ledger.add(&record(first, 64, 0)).unwrap();
        }
        ledger.add(&record(200, 8, 0)).unwrap();
        let ranges: Vec<_> = ledger.missing(1).collect();
        assert_eq!(ranges[..2], [(0, 192, 200), (0, 208, 272)]);
        assert_eq!(ranges.iter().map(|(_, first, end)| end - first).sum::<u32>(), 600 - 200);
    }

    #[test]
    fn a_series_of_any_length_takes_no_memory_before_it_is_played() {
        let mut ledger = Ledger::new(100_000, 0..u32::MAX);
        assert_eq!(ledger.missing(4).next(), Some((0, 0, 64)));
        ledger.add(&record(0, 64, 1)).unwrap();
        assert!(ledger.tallies().iter().all(|tally| tally.done.len() <= 1 && tally.won.len() <= 1));
        ledger.add(&record(u32::MAX - 64, 64, 1)).unwrap();
        assert_eq!(first_undone(&ledger.tallies()[0].done, u32::MAX - 64), u32::MAX);
    }

    #[test]
    fn a_record_that_cannot_be_true_is_refused() {
        let mut ledger = Ledger::new(1, 0..100);
        ledger.add(&record(0, 10, 0x3ff)).unwrap();
        assert_eq!(ledger.add(&record(9, 2, 0)), Err(RecordError::Twice(9)));
        assert_eq!(ledger.add(&record(10, 0, 0)), Err(RecordError::Count(0, 0)));
        assert_eq!(ledger.add(&Record { games: 65, ..record(10, 64, 0) }), Err(RecordError::Count(65, 64)));
        assert_eq!(ledger.add(&record(90, 11, 0)), Err(RecordError::Range { first: 90, end: 101, games: 0..100 }));
        assert_eq!(ledger.add(&record(10, 2, 4)), Err(RecordError::Wins(2)));
        assert_eq!(ledger.add(&Record { timeouts: 2, ..record(10, 2, 1) }), Err(RecordError::Wins(2)));
        assert_eq!(ledger.add(&Record { configuration: 1, ..record(10, 1, 0) }), Err(RecordError::Configuration(1, 1)));
        let cost = Cost { configuration: 0, cpu_seconds: -1.0, wall_seconds: 0.0 };
        assert_eq!(ledger.add_cost(&cost), Err(RecordError::Time));
        assert_eq!(ledger.played(), 10);
    }
}
