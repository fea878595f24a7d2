//! The game tree: which cell to guess, and the value of optimal play, independent of how sets of
//! layouts are stored.

use std::cmp::Ordering;

use super::{
    search::{Search, WinBound},
    shape::MOST_CELLS,
};

/// A state of the game: the set of layouts that are still possible. Every cell that is safe in all
/// of them is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<S, N> {
    pub set: S,
    /// Number of its layouts.
    pub len: u32,
    pub name: N,
    pub known: WinBound,
}

impl WinBound {
    /// Returns an upper bound.
    pub fn at_most(value: u32) -> Self {
        Self {
            value,
            exact: false,
        }
    }
}

/// An alpha-beta window: the value is at most `bound`, which is above `floor`. Results are exact
/// above `floor`, otherwise any upper bound that is not above `floor`.
#[derive(Clone, Copy)]
pub(super) struct Aim {
    pub bound: u32,
    pub floor: u32,
}

/// A cell to open, and a bound on the value.
pub(super) struct Guess {
    pub cell: usize,
    pub known: WinBound,
}

/// The states on the stack from `first` on, and `most`, the upper bound of the result that follows
/// from their bounds.
pub(super) struct Pending {
    pub first: usize,
    pub most: u32,
}

/// A representation of sets of layouts, with a stack of states on the current path of the tree.
pub(super) trait Sets<S: Search> {
    type Set: Copy;

    fn states(&mut self) -> &mut Vec<State<Self::Set, S::Name>>;

    /// Returns the order of two states with equal length and bound.
    fn tie(a: &Self::Set, b: &Self::Set) -> Ordering;

    /// Writes for each undecided cell of a state the number of layouts in which it is a mine, and
    /// the cell. Returns the number of such cells.
    fn risks(
        &self,
        search: &mut S,
        state: &State<Self::Set, S::Name>,
        risks: &mut [(u32, u8); MOST_CELLS],
    ) -> usize;

    /// Returns the number of layouts that optimal play wins after opening `cell`: exact above
    /// `floor`, otherwise an upper bound that is not above `floor`. Returns `None` if the cell can
    /// be skipped, see [`Sets::best_guess`]. `choice` is the cell and the set of cells that were
    /// tried before.
    fn guess(
        &mut self,
        search: &mut S,
        state: &State<Self::Set, S::Name>,
        choice: (usize, u64),
        floor: u32,
    ) -> Result<Option<u32>, S::Ended>;

    /// Returns the value of a state whose exact value the transposition table does not hold. The
    /// value is the product of the values of the state's independent groups.
    fn product(
        &mut self,
        search: &mut S,
        state: &State<Self::Set, S::Name>,
        aim: Aim,
    ) -> Result<WinBound, S::Ended>;

    /// Returns the value of a state: exact above `floor`, otherwise an upper bound that is not
    /// above `floor`.
    fn value(
        &mut self,
        search: &mut S,
        state: State<Self::Set, S::Name>,
        floor: u32,
    ) -> Result<u32, S::Ended> {
        // The search of the state's siblings may have improved its bound since it was found.
        let known = search.recall(state.name).unwrap_or(state.known);
        let bound = known.value.min(state.known.value);
        if known.exact || bound <= floor {
            return Ok(bound);
        }
        let known = self.product(search, &state, Aim { bound, floor })?;
        search.remember(state.name, known);
        Ok(known.value)
    }

    /// Tries the cells of a state, the safest first. Returns the first of the best cells.
    ///
    /// Two kinds of cells can be skipped. Let A be the set of layouts in which the cell is safe,
    /// for a policy that opens it first.
    ///
    /// - The cell shows the same number in all of A, and another cell shows two numbers. If the
    ///   policy opens the cell last instead, it misses no information and wins as much. Thus one of
    ///   the cells that show two numbers is at least as good as any. A cell that shows two numbers
    ///   wins at least two layouts. If no cell does, one layout is won.
    /// - A cell that was already tried is safe in all of A. Opening the tried cell first loses none
    ///   of A, and it is opened in any case afterwards.
    fn best_guess(
        &mut self,
        search: &mut S,
        state: &State<Self::Set, S::Name>,
        Aim { bound, floor }: Aim,
    ) -> Result<Guess, S::Ended> {
        search.spend()?;
        let mut order = [(0, 0); MOST_CELLS];
        let candidates = self.risks(search, state, &mut order);
        let order = &mut order[..candidates];
        order.sort_unstable();
        let mut best_cell = usize::from(order[0].1);
        let mut best = floor;
        let mut exact = false;
        // Upper bound of the values of the cells that are no better than `floor`; every state wins
        // at least one layout.
        let mut not_above = 1;
        let mut tried = 0_u64;
        let mut all_seen = true;
        for &(lost, cell) in &*order {
            let safe = state.len - lost;
            let cell = usize::from(cell);
            if safe <= best || bound <= best {
                not_above = not_above.max(safe);
                all_seen = false;
                break;
            }
            let Some(total) = self.guess(search, state, (cell, tried), best)? else {
                continue;
            };
            tried |= 1 << cell;
            if total > best {
                (best, exact) = (total, true);
                best_cell = cell;
            } else {
                not_above = not_above.max(total);
            }
        }
        let known = if exact {
            WinBound { value: best, exact }
        } else if all_seen && tried == 0 {
            // No cell gives information: whichever is opened, one layout is won.
            WinBound {
                value: 1,
                exact: true,
            }
        } else {
            WinBound::at_most(not_above.min(bound))
        };
        Ok(Guess {
            cell: best_cell,
            known,
        })
    }

    /// Replaces the bounds of the pending states in the sum `pending.most` by their values. Returns
    /// the sum: exact above `floor`, otherwise an upper bound that is not above `floor`.
    fn sum(&mut self, search: &mut S, pending: Pending, floor: u32) -> Result<u32, S::Ended> {
        let first = pending.first;
        let mut total = pending.most;
        if total > floor {
            // The states that lose the smallest share have the tightest bounds, and are searched
            // quickly.
            self.states()[first..].sort_unstable_by(|a, b| {
                let share =
                    |a: &State<_, _>, b: &State<_, _>| u64::from(a.known.value) * u64::from(b.len);
                share(b, a)
                    .cmp(&share(a, b))
                    .then(a.len.cmp(&b.len))
                    .then_with(|| Self::tie(&a.set, &b.set))
            });
        }
        for index in first..self.states().len() {
            if total <= floor {
                break;
            }
            let part = self.states()[index];
            let others = total - part.known.value;
            total = others + self.value(search, part, floor.saturating_sub(others))?;
        }
        self.states().truncate(first);
        Ok(total)
    }

    /// Returns the product of the values of the pending states, within the window `aim`.
    fn multiply(
        &mut self,
        search: &mut S,
        pending: Pending,
        aim: Aim,
    ) -> Result<WinBound, S::Ended> {
        let first = pending.first;
        let mut product = pending.most;
        for index in first..self.states().len() {
            if product <= aim.floor {
                break;
            }
            let part = self.states()[index];
            let others = product / part.known.value;
            product = others * self.value(search, part, aim.floor / others)?;
        }
        self.states().truncate(first);
        Ok(WinBound {
            value: product.min(aim.bound),
            exact: product > aim.floor,
        })
    }
}
