//! The transposition table and the limits of an endgame search.

use rustc_hash::FxHashMap;

use crate::{
    perfect::{Search, Shape, WinBound},
    solver::budget::{Budget, Exhausted},
};

/// The reason why a search gave no value.
pub(super) enum Ended {
    TooLarge,
    Exhausted(Exhausted),
}

impl From<Exhausted> for Ended {
    fn from(reason: Exhausted) -> Self {
        Self::Exhausted(reason)
    }
}

/// The transposition table: bounds on the values of sets of layouts, by hash. The limits of a search
/// bound its size, so that it needs none of the replacement of the shared table of
/// `minesweeper::optimum`.
pub(super) type Memo = FxHashMap<u64, WinBound>;

/// The state of one search.
pub(super) struct EndgameSearch<'a> {
    pub shape: &'a mut Shape,
    pub memo: &'a mut Memo,
    pub budget: &'a mut Budget,
    /// Number of layouts and cells examined so far.
    pub work: u64,
    /// Maximum of `work`.
    pub most_work: u64,
}

impl Search for EndgameSearch<'_> {
    type Name = u64;
    type Ended = Ended;

    fn shape(&mut self) -> &mut Shape {
        self.shape
    }

    /// Returns the name of a set, which is a hash: the sum of random numbers, one for each layout
    /// of the undecided cells. Everything else is the same in each layout, and every cell that is
    /// safe in all layouts shows the same number in all of them. Therefore sets of equal names have
    /// equal values, whatever the rest of the board. Two different sets collide with a probability
    /// of 2^-64.
    fn name(
        &mut self,
        layouts: impl Iterator<Item = u64>,
        undecided: u64,
        _: impl FnOnce() -> u64,
    ) -> u64 {
        layouts.fold(0, |sum, layout| {
            sum.wrapping_add(spread(layout & undecided))
        })
    }

    fn recall(&self, name: u64) -> Option<WinBound> {
        self.memo.get(&name).copied()
    }

    fn remember(&mut self, name: u64, known: WinBound) {
        self.memo.insert(name, known);
    }

    fn work(&mut self, looked_at: usize) {
        self.work += looked_at as u64;
    }

    fn spend(&mut self) -> Result<(), Ended> {
        self.budget.spend(1)?;
        if self.work > self.most_work {
            Err(Ended::TooLarge)
        } else {
            Ok(())
        }
    }

    fn make_room(&mut self, _: &mut Vec<u64>, _: usize) -> Result<(), Ended> {
        Ok(())
    }
}

/// Applies a bijection that mixes the bits of a layout, by products and shifts with two constants
/// of SplitMix64.
fn spread(layout: u64) -> u64 {
    let z = layout.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ z >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 29
}
