//! Records of pieces that are identified by their numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, de::DeserializeOwned};

use super::{
    series::{Keeping, Records},
    stats::{Rounds, Tested},
};

/// The result of one piece of a series.
pub trait Piece: Clone + Serialize + DeserializeOwned + Send + Sync {
    /// The cost of a piece, which is stored in a file of its own because it differs from run to
    /// run.
    type Cost: Clone + Serialize + DeserializeOwned + Send;
    const KEEPING: Keeping;

    /// Returns the piece's number in the series.
    fn number(&self) -> usize;

    /// Returns the number of the piece to which this cost belongs. Pieces whose costs are not kept
    /// need no such method.
    fn number_of(_cost: &Self::Cost) -> usize {
        unreachable!("what it took is not kept")
    }
}

/// One slot for each piece of a series, or of one shard of the run. A piece that is added again
/// replaces the earlier one.
#[derive(Clone, Debug)]
pub struct Slots<P: Piece> {
    numbers: BTreeSet<usize>,
    pieces: BTreeMap<usize, P>,
    costs: BTreeMap<usize, P::Cost>,
    /// The tests that determine how many pieces are done, each with the number of its first piece.
    tests: Vec<(usize, Rounds)>,
    /// The pairs of pieces that the tests observe; `None` without tests.
    pairs: Option<Pairs<P>>,
}

/// The pairs of pieces that a test observes.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<P> {
    /// The distance from the first piece of a pair to that of the next pair.
    pub step: usize,
    /// The distance from the first to the second piece of a pair.
    pub apart: usize,
    /// Computes the observation from the first and the second piece.
    pub observe: fn(&P, &P) -> f64,
}

impl<P> Pairs<P> {
    /// Returns the numbers of a pair's pieces, in a test whose first piece is `start`.
    fn numbers(&self, start: usize, pair: u32) -> [usize; 2] {
        let first = start + pair as usize * self.step;
        [first, first + self.apart]
    }
}

/// Returns the numbers of the pieces of these tests; `pairs` gives the number of pairs of each
/// test.
fn numbers_of<'a, P>(
    tests: &'a [(usize, Rounds)],
    of: &'a Pairs<P>,
    pairs: fn(&Rounds) -> u32,
) -> impl Iterator<Item = usize> + 'a {
    tests.iter().flat_map(move |(start, rounds)| {
        (0..pairs(rounds)).flat_map(|pair| of.numbers(*start, pair))
    })
}

impl<P: Piece> Slots<P> {
    /// Creates empty slots for the pieces with these numbers.
    pub fn new(numbers: impl IntoIterator<Item = usize>) -> Self {
        Self {
            numbers: numbers.into_iter().collect(),
            pieces: BTreeMap::new(),
            costs: BTreeMap::new(),
            tests: Vec::new(),
            pairs: None,
        }
    }

    /// Creates empty slots for as many pairs as these tests need. Each test comes with the number
    /// of its first piece.
    pub fn tested(tests: Vec<(usize, Rounds)>, pairs: Pairs<P>) -> Self {
        let slots = Self::new(numbers_of(&tests, &pairs, Rounds::most));
        Self {
            tests,
            pairs: Some(pairs),
            ..slots
        }
    }

    /// Returns the result of the test with the index `place`, or `None` if there is no such test.
    pub fn test(&self, place: usize) -> Option<Tested> {
        self.tests.get(place).map(|(_, rounds)| rounds.tested())
    }

    /// Returns the finished pieces, in the order of their numbers.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &P> {
        self.pieces.values()
    }

    /// Returns the cost of a piece, if it is known.
    pub fn cost(&self, number: usize) -> Option<&P::Cost> {
        self.costs.get(&number)
    }

    /// Returns the numbers of the missing pieces, in order. Under tests, only the pieces up to the
    /// end of the current rounds are listed.
    pub fn missing(&self) -> Vec<usize> {
        let is_missing = |number: &usize| !self.pieces.contains_key(number);
        match &self.pairs {
            None => self.numbers.iter().copied().filter(is_missing).collect(),
            Some(pairs) => {
                let known: BTreeSet<_> = numbers_of(&self.tests, pairs, Rounds::end).collect();
                known.into_iter().filter(is_missing).collect()
            }
        }
    }

    /// Passes the complete rounds to the tests.
    fn advance(&mut self) {
        let Self {
            pieces,
            tests,
            pairs: Some(pairs),
            ..
        } = self
        else {
            return;
        };
        for (start, rounds) in tests {
            let value = |pair| {
                let [first, second] = pairs
                    .numbers(*start, pair)
                    .map(|number| pieces.get(&number));
                Some((pairs.observe)(first?, second?))
            };
            rounds.advance(|range| range.map(value).collect());
        }
    }

    /// Returns the number of pieces: two for each of the pairs that `pairs` counts, or all without
    /// tests.
    fn count(&self, pairs: fn(&Rounds) -> u32) -> u64 {
        if self.pairs.is_none() {
            return self.numbers.len() as u64;
        }
        let counted = self
            .tests
            .iter()
            .map(|(_, rounds)| u64::from(pairs(rounds)));
        2 * counted.sum::<u64>()
    }

    fn check(&self, number: usize) -> Result<usize, String> {
        match self.numbers.contains(&number) {
            true => Ok(number),
            false => Err(format!(
                "it names piece {number}, and there are {} here",
                self.numbers.len()
            )),
        }
    }
}

impl<P: Piece> Records for Slots<P> {
    type Record = P;
    type Cost = P::Cost;
    const KEEPING: Keeping = P::KEEPING;

    fn add(&mut self, piece: &P) -> Result<(), String> {
        self.pieces
            .insert(self.check(piece.number())?, piece.clone());
        self.advance();
        Ok(())
    }

    fn add_cost(&mut self, cost: &P::Cost) -> Result<(), String> {
        self.costs
            .insert(self.check(P::number_of(cost))?, cost.clone());
        Ok(())
    }

    fn done(&self) -> u64 {
        self.pieces.len() as u64
    }

    fn planned(&self) -> u64 {
        self.count(Rounds::end)
    }

    fn most(&self) -> u64 {
        self.count(Rounds::most)
    }

    fn is_whole(&self) -> bool {
        match self.pairs {
            None => self.pieces.len() == self.numbers.len(),
            Some(_) => self.tests.iter().all(|(_, rounds)| rounds.is_over()),
        }
    }

    fn in_order(&self) -> impl Iterator<Item = P> {
        self.pieces().cloned()
    }
}
