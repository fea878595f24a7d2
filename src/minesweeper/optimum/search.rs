//! One search of the tree of a board. All searches of a board share a transposition table.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{layouts::Layouts, memo::Memo, names::Names};
use crate::{
    Cell,
    perfect::{Lists, Search, Shape, WinBound},
};

/// Number of states after which the shared counter is updated.
const REPORTED: u64 = 256;
/// Number of initial layouts between two checks of the stop flag.
const LOOKED: usize = 1 << 16;

/// The reason why a search ended early.
#[derive(Clone, Copy)]
pub(super) enum Halt {
    /// The stop flag was set.
    Stopped,
    /// The layouts of the states on the current path exceed the limit.
    Full,
}

/// The data that all searches of a board share.
pub(super) struct Shared {
    pub shape: Shape,
    pub names: Names,
    pub memo: Memo,
    /// Maximum number of layouts that one search may hold.
    pub room: usize,
    /// Number of states searched.
    pub states: AtomicU64,
}

/// A search for one call of [`Optimum::value`](super::Optimum::value).
pub(super) struct OptimumSearch<'a> {
    shared: &'a Shared,
    shape: Shape,
    stop: &'a AtomicBool,
    valued: u64,
}

impl<'a> OptimumSearch<'a> {
    pub fn new(shared: &'a Shared, stop: &'a AtomicBool) -> Self {
        Self {
            shared,
            shape: shared.shape.clone(),
            stop,
            valued: 0,
        }
    }

    /// Returns the number of layouts that optimal play wins after a first click on `cell`.
    pub fn first_click(&mut self, cell: Cell, layouts: &Layouts) -> Result<u64, Halt> {
        let around = self.shape.around[cell.index()];
        let mut lists = Lists::default();
        let mut won = 0;
        for number in 0..=around.count_ones() {
            let shown = lists.begin();
            for (index, layout) in layouts.showing(cell, around, number).enumerate() {
                if index.is_multiple_of(LOOKED) {
                    self.look()?;
                }
                shown.push(layout);
            }
            won += u64::from(lists.value_of_all(self, (1 << cell.index(), 0))?);
        }
        Ok(won)
    }

    fn look(&self) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) {
            Err(Halt::Stopped)
        } else {
            Ok(())
        }
    }
}

impl Search for OptimumSearch<'_> {
    type Name = u128;
    type Ended = Halt;

    fn shape(&mut self) -> &mut Shape {
        &mut self.shape
    }

    fn name(
        &mut self,
        mut layouts: impl Iterator<Item = u64>,
        undecided: u64,
        open: impl FnOnce() -> u64,
    ) -> u128 {
        let layout = layouts.next().expect("a state has layouts");
        self.shared
            .names
            .of(&self.shape.around, (undecided, open()), layout)
    }

    fn recall(&self, name: u128) -> Option<WinBound> {
        self.shared.memo.get(name)
    }

    fn remember(&mut self, name: u128, known: WinBound) {
        self.shared.memo.put(name, known);
    }

    fn work(&mut self, _: usize) {}

    fn spend(&mut self) -> Result<(), Halt> {
        self.valued += 1;
        if self.valued.is_multiple_of(REPORTED) {
            self.shared.states.fetch_add(REPORTED, Ordering::Relaxed);
        }
        self.look()
    }

    fn make_room(&mut self, layouts: &mut Vec<u64>, more: usize) -> Result<(), Halt> {
        self.look()?;
        let len = layouts.len();
        let room = self.shared.room;
        if room - len < more {
            return Err(Halt::Full);
        }
        if layouts.capacity() < len + more {
            let wanted = (len + more).saturating_mul(3) / 2;
            layouts.reserve_exact(wanted.min(room) - len);
        }
        Ok(())
    }
}
