//! The results of played games: one bit per game, and sums.

use std::{iter, ops::Range};

use super::{
    record::{Cost, RECORD_GAMES, Record},
    series::{Keeping, Records},
    stats::{Rounds, Sprt, Tested},
    tally::{Tally, bit, words},
};

/// The number of games that each player plays between two evaluations of a test.
pub(super) const ROUND: u32 = 500;
/// The value of a won game in percentage points.
const WIN: f64 = 100.0;

/// The results of every configuration.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// The games of each configuration; the first one is a multiple of 64.
    games: Range<u32>,
    tallies: Vec<Tally>,
    /// The tests that determine how many games are played, one for each pair of a configuration in
    /// the first half and its partner in the second.
    tests: Vec<Rounds>,
    /// Whether this is a shard of a run with a test. No record of it has games of two rounds, so
    /// that the test of the whole run can end after any round.
    is_tested_elsewhere: bool,
}

impl Ledger {
    /// Creates an empty ledger for `configurations`, each with the same `games`.
    ///
    /// # Panics
    /// Panics if the first game is not a multiple of 64.
    pub fn new(configurations: usize, games: Range<u32>) -> Self {
        assert!(
            games.start.is_multiple_of(RECORD_GAMES),
            "a part begins with a whole word"
        );
        Self {
            games,
            tallies: vec![Tally::default(); configurations],
            tests: Vec::new(),
            is_tested_elsewhere: false,
        }
    }

    /// Creates an empty ledger for a shard of a run that a test decides when the shards are joined.
    pub fn tested_elsewhere(configurations: usize, games: Range<u32>) -> Self {
        Self {
            is_tested_elsewhere: true,
            ..Self::new(configurations, games)
        }
    }

    /// Creates an empty ledger for pairs of configurations under a sequential test. Configuration
    /// `i` of the first half is paired with configuration `i` of the second half. Each pair plays
    /// until the test of the first configuration's advantage is over, but at most `most` games.
    pub fn tested(pairs: usize, most: u32, sprt: Sprt, is_corrected: bool) -> Self {
        let mut test = Rounds::new(sprt, ROUND, most, WIN);
        if is_corrected {
            test = test.corrected();
        }
        Self {
            tests: vec![test; pairs],
            ..Self::new(2 * pairs, 0..most)
        }
    }

    /// Returns the result of a pair's test, or `None` without a test.
    pub fn test(&self, pair: usize) -> Option<Tested> {
        self.tests.get(pair).map(Rounds::tested)
    }

    /// Returns the end of a configuration's range of games. Under a test, this is the end of the
    /// current round.
    fn end(&self, configuration: usize) -> u32 {
        let test = configuration
            .checked_rem(self.tests.len())
            .map(|pair| &self.tests[pair]);
        test.map_or(self.games.end, Rounds::end)
    }

    /// Passes the complete rounds of a configuration and its partner to their test. Joined shards
    /// have games beyond its end, which are removed.
    fn advance(&mut self, configuration: usize) {
        let Some(pair) = configuration.checked_rem(self.tests.len()) else {
            return;
        };
        let a = &self.tallies[pair];
        let b = &self.tallies[pair + self.tests.len()];
        self.tests[pair].advance(|range| {
            let is_there = [a, b]
                .iter()
                .all(|tally| first_undone(&tally.done, range.start) >= range.end);
            // The difference in percentage points.
            let difference =
                |game: u32| WIN * (a.corrected_result(game) - b.corrected_result(game));
            is_there.then(|| range.map(difference).collect())
        });
        let end = self.end(pair);
        for at in [pair, pair + self.tests.len()] {
            if self.tests[pair].is_over() && self.tallies[at].games > end.into() {
                self.tallies[at].cut(end);
            }
        }
    }

    /// Returns the results of every configuration, in the order of the plan.
    pub fn tallies(&self) -> &[Tally] {
        &self.tallies
    }

    /// Returns the number of games played, over all configurations.
    pub fn played(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.games).sum()
    }

    /// Returns the number of games won, over all configurations.
    pub fn won(&self) -> u64 {
        self.tallies.iter().map(|tally| tally.wins).sum()
    }

    fn tally(&mut self, configuration: usize) -> Result<&mut Tally, String> {
        let configurations = self.tallies.len();
        self.tallies.get_mut(configuration).ok_or_else(|| {
            format!("it names configuration {configuration}, and there are {configurations}")
        })
    }

    /// Returns the ranges of games that are currently missing, in order: configuration, first game,
    /// end. Each range has at most 64 games, and fewer near the end of the work, so that the
    /// workers finish at about the same time.
    pub(super) fn missing(
        &self,
        workers: usize,
    ) -> impl Iterator<Item = (usize, u32, u32)> + Send + use<> {
        let done: Vec<Vec<u64>> = self.tallies.iter().map(|of| of.done.clone()).collect();
        let ends: Vec<u32> = (0..done.len()).map(|at| self.end(at)).collect();
        let start = self.games.start;
        let is_by_round = self.is_tested_elsewhere;
        let workers = workers as u64;
        // The number of games not handed out yet.
        let mut left = self.planned() - self.played();
        let mut configuration = 0;
        let mut game = start;
        iter::from_fn(move || {
            while let Some(done) = done.get(configuration) {
                let first = first_undone(done, game);
                let last = ends[configuration];
                if first >= last {
                    configuration += 1;
                    game = start;
                    continue;
                }
                let longest = (left / (4 * workers)).clamp(1, u64::from(RECORD_GAMES)) as u32;
                let mut most = first + longest.min(last - first);
                if is_by_round {
                    most = most.min((first / ROUND + 1) * ROUND);
                }
                let end = (first..most).find(|&game| bit(done, game)).unwrap_or(most);
                left -= u64::from(end - first);
                game = end;
                return Some((configuration, first, end));
            }
            None
        })
    }
}

impl Records for Ledger {
    type Record = Record;
    type Cost = Cost;
    const KEEPING: Keeping = Keeping {
        things: "games",
        has_costs: true,
        journal_stays: true,
    };

    /// Adds a record. It is refused, and the ledger unchanged, if it contradicts the plan or
    /// earlier records. A record of a joined shard after the end of the test is left out.
    fn add(&mut self, record: &Record) -> Result<(), String> {
        let games = self.games.clone();
        let is_by_round = self.is_tested_elsewhere || !self.tests.is_empty();
        let test = record.configuration.checked_rem(self.tests.len());
        let test = test.map(|pair| &self.tests[pair]);
        let is_later = test.is_some_and(|test| test.is_over() && record.first >= test.end());
        let tally = self.tally(record.configuration)?;
        record.check(&games)?;
        if is_later {
            return Ok(());
        }
        let range = record.first..record.first + record.games;
        if let Some(again) = range.clone().find(|&game| bit(&tally.done, game)) {
            return Err(format!("it has game {again} twice"));
        }
        let words = range.end.div_ceil(u64::BITS) as usize;
        if tally.done.len() < words {
            tally.done.resize(words, 0);
            tally.won.resize(words, 0);
        }
        if !record.luck.is_empty() {
            let longest = tally.luck.len().max(range.end as usize);
            tally.luck.resize(longest, 0);
            tally.luck[range.start as usize..range.end as usize].copy_from_slice(&record.luck);
        }
        for (i, game) in range.enumerate() {
            let word = game as usize / 64;
            let bit = game % 64;
            tally.done[word] |= 1 << bit;
            tally.won[word] |= (record.won[i / 64] >> (i % 64) & 1) << bit;
        }
        tally.games += u64::from(record.games);
        tally.wins += record.wins();
        tally.timeouts += u64::from(record.timeouts);
        tally.guesses += record.guesses;
        if is_by_round {
            let round = (record.first / ROUND) as usize;
            let longest = tally.rounds.len().max(round + 1);
            tally.rounds.resize(longest, (0, 0));
            tally.rounds[round].0 += u64::from(record.timeouts);
            tally.rounds[round].1 += record.guesses;
        }
        self.advance(record.configuration);
        Ok(())
    }

    fn add_cost(&mut self, cost: &Cost) -> Result<(), String> {
        let tally = self.tally(cost.configuration)?;
        let times = [cost.cpu_seconds, cost.wall_seconds];
        if !times.iter().all(|time| time.is_finite() && *time >= 0.0) {
            return Err("a time of it is not a duration".to_owned());
        }
        tally.cpu_seconds += cost.cpu_seconds;
        tally.wall_seconds += cost.wall_seconds;
        tally.nodes += cost.nodes;
        Ok(())
    }

    fn done(&self) -> u64 {
        self.played()
    }

    /// Returns the number of games to play, over all configurations. Under a test, only the rounds
    /// up to the current one are included.
    fn planned(&self) -> u64 {
        (0..self.tallies.len())
            .map(|configuration| u64::from(self.end(configuration) - self.games.start))
            .sum()
    }

    fn most(&self) -> u64 {
        if self.tests.is_empty() {
            return self.planned();
        }
        let pairs = self.tests.iter().map(|test| u64::from(test.most()));
        2 * pairs.sum::<u64>()
    }

    fn is_whole(&self) -> bool {
        if self.tests.is_empty() {
            self.played() == self.planned()
        } else {
            self.tests.iter().all(Rounds::is_over)
        }
    }

    fn in_order(&self) -> impl Iterator<Item = Record> {
        let start = self.games.start;
        let tallies = self.tallies.iter().enumerate();
        tallies.flat_map(move |(configuration, tally)| {
            let end = self.end(configuration);
            let mut first = start;
            iter::from_fn(move || {
                let is_part = self.is_tested_elsewhere;
                let round = first / ROUND;
                let next = if is_part { (round + 1) * ROUND } else { end }.min(end);
                let games = first..next;
                let (timeouts, guesses) = match tally.rounds.get(round as usize) {
                    Some(&sums) if is_part => sums,
                    _ => (tally.timeouts, tally.guesses),
                };
                first = next;
                (!games.is_empty()).then(|| Record {
                    games: games.len() as u32,
                    won: words(&tally.won, games.clone()),
                    timeouts: timeouts as u32,
                    guesses,
                    luck: tally
                        .luck
                        .get(games.start as usize..games.end as usize)
                        .unwrap_or_default()
                        .to_vec(),
                    ..Record::new(configuration, games.start)
                })
            })
        })
    }
}

/// Returns the first game from `from` on that is not done.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn record(first: u32, games: u32, won: u64) -> Record {
        Record {
            games,
            won: vec![won; games.div_ceil(64) as usize],
            ..Record::new(0, first)
        }
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
        assert_eq!(
            ranges
                .iter()
                .map(|(_, first, end)| end - first)
                .sum::<u32>(),
            600 - 200
        );
    }

    #[test]
    fn a_series_of_any_length_takes_no_memory_before_it_is_played() {
        let mut ledger = Ledger::new(100_000, 0..u32::MAX);
        assert_eq!(ledger.missing(4).next(), Some((0, 0, 64)));
        ledger.add(&record(0, 64, 1)).unwrap();
        assert!(
            ledger
                .tallies()
                .iter()
                .all(|tally| tally.done.len() <= 1 && tally.won.len() <= 1)
        );
        ledger.add(&record(u32::MAX - 64, 64, 1)).unwrap();
        assert_eq!(
            first_undone(&ledger.tallies()[0].done, u32::MAX - 64),
            u32::MAX
        );
    }
}
