//! Records of pieces that are known by their numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::sequential::{Rounds, Tested};
use super::series::{Keeping, Records};

/// What came of one piece of a series.
pub trait Piece: Clone + Serialize + DeserializeOwned + Send + Sync {
    /// What it took.
    type Cost: Clone + Serialize + DeserializeOwned + Send;
    const KEEPING: Keeping;

    /// Its number in the series.
    fn number(&self) -> usize;

    /// The number of the piece that this is the cost of.
    fn number_of(cost: &Self::Cost) -> usize;
}

/// A slot for each piece of a series, or of a part of one. A piece that is done again takes the place of what is there.
#[derive(Clone, Debug)]
pub struct Slots<P: Piece> {
    numbers: BTreeSet<usize>,
    pieces: BTreeMap<usize, P>,
    costs: BTreeMap<usize, P::Cost>,
    /// Where tests say how many pieces are done: each with the number of its first piece.
    tests: Vec<(usize, Rounds)>,
    /// What they observe.
    pairs: Option<Pairs<P>>,
}

/// What a test observes: pairs of pieces.
#[derive(Clone, Copy, Debug)]
pub struct Pairs<P> {
    /// How far the first piece of a pair is from that of the next.
    pub step: usize,
    /// How far the second piece of a pair is from the first.
    pub apart: usize,
    /// What is observed of the first and the second.
    pub observe: fn(&P, &P) -> f64,
}

impl<P> Pairs<P> {
    /// The numbers of a pair's pieces, in a test whose first piece has this number.
    fn numbers(&self, start: usize, pair: u32) -> [usize; 2] {
        let first = start + pair as usize * self.step;
        [first, first + self.apart]
    }
}

/// The numbers of the pieces of these tests, as many pairs of each as `pairs` says.
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
    /// Empty slots for the pieces of these numbers.
    pub fn new(numbers: impl IntoIterator<Item = usize>) -> Self {
        Self {
            numbers: numbers.into_iter().collect(),
            pieces: BTreeMap::new(),
            costs: BTreeMap::new(),
            tests: Vec::new(),
            pairs: None,
        }
    }

    /// Empty slots for the pieces of as many pairs as these tests take; each test is given with the number of its first piece.
    pub fn tested(tests: Vec<(usize, Rounds)>, pairs: Pairs<P>) -> Self {
        let slots = Self::new(numbers_of(&tests, &pairs, Rounds::most));
        Self {
            tests,
            pairs: Some(pairs),
            ..slots
        }
    }

    /// What the test of this place says, where there is one.
    pub fn test(&self, place: usize) -> Option<Tested> {
        self.tests.get(place).map(|(_, rounds)| rounds.tested())
    }

    /// The pieces that are done, by number.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &P> {
        self.pieces.values()
    }

    /// What a piece took, where that is known.
    pub fn cost(&self, number: usize) -> Option<&P::Cost> {
        self.costs.get(&number)
    }

    /// The numbers of the pieces that are not done, in order; those of a test as far as is known.
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

    /// Takes note of the rounds of the tests that are whole.
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

    /// Twice the sum over all tests: each observes pairs.
    fn pieces_of_tests(&self, pairs: fn(&Rounds) -> u32) -> u64 {
        2 * self
            .tests
            .iter()
            .map(|(_, rounds)| u64::from(pairs(rounds)))
            .sum::<u64>()
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
        if self.pairs.is_some() {
            self.pieces_of_tests(Rounds::end)
        } else {
            self.numbers.len() as u64
        }
    }

    fn most(&self) -> u64 {
        if self.pairs.is_some() {
            self.pieces_of_tests(Rounds::most)
        } else {
            self.numbers.len() as u64
        }
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
