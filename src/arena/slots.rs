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
    /// Where a test says how many pieces are done: that and what it observes.
    test: Option<(Rounds, Pairs<P>)>,
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
    /// The numbers of a pair's pieces.
    fn numbers(&self, pair: u32) -> [usize; 2] {
        let first = pair as usize * self.step;
        [first, first + self.apart]
    }
}

impl<P: Piece> Slots<P> {
    /// Empty slots for the pieces of these numbers.
    pub fn new(numbers: impl IntoIterator<Item = usize>) -> Self {
        Self { numbers: numbers.into_iter().collect(), pieces: BTreeMap::new(), costs: BTreeMap::new(), test: None }
    }

    /// Empty slots for the pieces of as many pairs as this test takes.
    pub fn tested(rounds: Rounds, pairs: Pairs<P>) -> Self {
        let slots = Self::new((0..rounds.most()).flat_map(|pair| pairs.numbers(pair)));
        Self { test: Some((rounds, pairs)), ..slots }
    }

    /// What the test says, where there is one.
    pub fn test(&self) -> Option<Tested> {
        self.test.as_ref().map(|(rounds, _)| rounds.tested())
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
        match &self.test {
            None => self.numbers.iter().copied().filter(is_missing).collect(),
            Some((rounds, pairs)) => {
                let known: BTreeSet<_> = (0..rounds.end()).flat_map(|pair| pairs.numbers(pair)).collect();
                known.into_iter().filter(is_missing).collect()
            }
        }
    }

    /// Takes note of the rounds of the test that are whole.
    fn advance(&mut self) {
        let Self { pieces, test: Some((rounds, pairs)), .. } = self else { return };
        let value = |pair| {
            let [first, second] = pairs.numbers(pair).map(|number| pieces.get(&number));
            Some((pairs.observe)(first?, second?))
        };
        rounds.advance(|range| range.map(value).collect());
    }

    fn check(&self, number: usize) -> Result<usize, String> {
        match self.numbers.contains(&number) {
            true => Ok(number),
            false => Err(format!("it names piece {number}, and there are {} here", self.numbers.len())),
        }
    }
}

impl<P: Piece> Records for Slots<P> {
    type Record = P;
    type Cost = P::Cost;
    const KEEPING: Keeping = P::KEEPING;

    fn add(&mut self, piece: &P) -> Result<(), String> {
        self.pieces.insert(self.check(piece.number())?, piece.clone());
        self.advance();
        Ok(())
    }

    fn add_cost(&mut self, cost: &P::Cost) -> Result<(), String> {
        self.costs.insert(self.check(P::number_of(cost))?, cost.clone());
        Ok(())
    }

    fn done(&self) -> u64 {
        self.pieces.len() as u64
    }

    fn planned(&self) -> u64 {
        match &self.test {
            None => self.numbers.len() as u64,
            Some((rounds, _)) => 2 * u64::from(rounds.end()),
        }
    }

    fn most(&self) -> u64 {
        match &self.test {
            None => self.numbers.len() as u64,
            Some((rounds, _)) => 2 * u64::from(rounds.most()),
        }
    }

    fn is_whole(&self) -> bool {
        match &self.test {
            None => self.pieces.len() == self.numbers.len(),
            Some((rounds, _)) => rounds.is_over(),
        }
    }

    fn in_order(&self) -> impl Iterator<Item = P> {
        self.pieces().cloned()
    }
}
