//! Recognises dead cells, which give no information.
//!
//! [`super::Analysis::is_dead`] defines dead cells and proves that they can wait.

use super::deduction::{Mark, SingleNumbers};
use crate::Cell;

impl SingleNumbers {
    /// Returns whether `cell` is recognised as dead; see [`super::Analysis::is_dead`].
    pub fn is_dead(&self, cell: Cell) -> bool {
        let around = self.grid.around(cell.index());
        let mut unknown = 0;
        for (k, &d) in around.iter().enumerate() {
            if self.mark(d as usize) == Mark::Unknown {
                if self.witnesses(d as usize) == 0 {
                    return false;
                }
                unknown |= 1 << k;
            }
        }
        if unknown == 0 {
            return true;
        }
        let mut sets = Sets {
            known: self,
            cell,
            around,
            fixed: 0,
        };
        sets.fix();
        sets.cover(unknown & !sets.fixed)
    }

    /// Returns the open cells around a slot.
    fn open_around(&self, slot: usize) -> impl Iterator<Item = usize> {
        let witnesses = self.witnesses(slot);
        let around = self.grid.around(slot).iter().enumerate();
        around
            .filter(move |&(k, _)| witnesses >> k & 1 == 1)
            .map(|(_, &open)| open as usize)
    }
}

/// Sets of unknown neighbours of a cell, with bit `k` for the neighbour in direction `k`.
struct Sets<'a> {
    known: &'a SingleNumbers,
    cell: Cell,
    around: &'a [u16; 8],
    /// The neighbours that are mines if the cell is safe.
    fixed: u8,
}

impl Sets<'_> {
    /// Finds the neighbours that single numbers prove to be mines if the cell is safe.
    fn fix(&mut self) {
        if self.known.mark(self.cell.index()) != Mark::Unknown {
            return;
        }
        for open in self.known.open_around(self.cell.index()) {
            let unknown = self.known.unknown_around(open);
            if self.known.need(open) + 1 == unknown {
                self.fixed |= self.of(open).0;
            }
        }
    }

    /// Returns whether the neighbours `left` are a union of disjoint sets for which open numbers
    /// fix the number of mines.
    fn cover(&self, left: u8) -> bool {
        if left == 0 {
            return true;
        }
        let first = usize::from(self.around[left.trailing_zeros() as usize]);
        self.known.open_around(first).any(|open| {
            let (set, is_whole) = self.of(open);
            is_whole && set & !left == 0 && self.cover(left & !set)
        })
    }

    /// Returns the neighbours that are unknown, not fixed and around an open cell; and whether the
    /// open cell has no other unknown neighbours, apart from the cell itself and the fixed ones.
    fn of(&self, open: usize) -> (u8, bool) {
        let mut set = 0;
        let mut is_whole = true;
        for &d in self.known.grid.around(open) {
            if self.known.mark(d as usize) != Mark::Unknown || d == self.cell.0 {
                continue;
            }
            match self.around.iter().position(|&own| own == d) {
                Some(k) => set |= 1 << k,
                None => is_whole = false,
            }
        }
        (set & !self.fixed, is_whole)
    }
}
