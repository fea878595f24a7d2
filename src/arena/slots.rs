//! Records of pieces that are known by their numbers.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde::de::DeserializeOwned;

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
}

impl<P: Piece> Slots<P> {
    /// Empty slots for the pieces of these numbers.
    pub fn new(numbers: impl IntoIterator<Item = usize>) -> Self {
        Self { numbers: numbers.into_iter().collect(), pieces: BTreeMap::new(), costs: BTreeMap::new() }
    }

    /// The pieces that are done, by number.
    pub fn pieces(&self) -> impl ExactSizeIterator<Item = &P> {
        self.pieces.values()
    }

    /// What a piece took, where that is known.
    pub fn cost(&self, number: usize) -> Option<&P::Cost> {
        self.costs.get(&number)
    }

    /// The numbers of the pieces that are not done.
    pub fn missing(&self) -> Vec<usize> {
        self.numbers.iter().filter(|number| !self.pieces.contains_key(number)).copied().collect()
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
        self.numbers.len() as u64
    }

    fn in_order(&self) -> impl Iterator<Item = P> {
        self.pieces().cloned()
    }
}
