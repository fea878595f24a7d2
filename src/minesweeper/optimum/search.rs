//! One search of the tree of a board: what it knows it shares with those beside it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::layouts::Layouts;
use super::memo::Memo;
use super::names::Names;
use crate::Cell;
use crate::perfect::{Lists, Search, Shape, WinBound};

/// States that are handed at once to waiting threads.
const REPORTED: u64 = 256;
/// First layouts between two looks at the flag.
const LOOKED: usize = 1 << 16;

/// Why a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// It was asked to.
    Stopped,
    /// The layouts of the states on the way have no more room.
    Full,
}

/// What the searches of a board share.
pub(super) struct Shared {
    pub(super) shape: Shape,
    pub(super) names: Names,
    pub(super) memo: Memo,
    /// Layouts that one search may hold.
    pub(super) room: usize,
    /// States that were valued.
    pub(super) states: AtomicU64,
}

/// A search for one caller.
pub(super) struct OptimumSearch<'a> {
    shared: &'a Shared,
    shape: Shape,
    stop: &'a AtomicBool,
    valued: u64,
}

impl<'a> OptimumSearch<'a> {
    pub(super) fn new(shared: &'a Shared, stop: &'a AtomicBool) -> Self {
        Self {
            shared,
            shape: shared.shape.clone(),
            stop,
            valued: 0,
        }
    }

    /// How many layouts best play wins that begins with `cell`.
    pub(super) fn first_click(&mut self, cell: Cell, layouts: &Layouts) -> Result<u64, Halt> {
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
            won += u64::from(lists.value_of_all(self, 1 << cell.index())?);
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
        let (len, room) = (layouts.len(), self.shared.room);
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
