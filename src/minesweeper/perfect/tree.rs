//! The game tree: which cell to guess, and the value of perfect play, however sets of layouts are held.

use std::cmp::Ordering;

use super::search::{Search, WinBound};
use super::shape::MOST_CELLS;

/// A set of layouts in which every cell that is safe in all is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct State<S, N> {
    pub(super) set: S,
    /// Its layouts.
    pub(super) len: u32,
    pub(super) name: N,
    pub(super) known: WinBound,
}

/// What is asked of a value: it is at most `bound`, which is above `floor`; where it is not above `floor`, a bound that is
/// not above either will do.
#[derive(Clone, Copy)]
pub(super) struct Aim {
    pub(super) bound: u32,
    pub(super) floor: u32,
}

/// A cell to open, and what is known of the value.
pub(super) struct Guess {
    pub(super) cell: usize,
    pub(super) known: WinBound,
}

/// What is open on the way down the tree: states from `first` on, which give `most` by their bounds.
pub(super) struct Pending {
    pub(super) first: usize,
    pub(super) most: u32,
}

/// A way to hold sets of layouts, with a stack of states on the way down the tree.
pub(super) trait Sets<S: Search> {
    type Set: Copy;

    fn states(&mut self) -> &mut Vec<State<Self::Set, S::Name>>;

    /// The order of two states that are alike in length and bound.
    fn tie(a: &Self::Set, b: &Self::Set) -> Ordering;

    /// Writes for each undecided cell of a state in how many layouts it is a mine, and the cell; says how many cells there are.
    fn risks(
        &self,
        search: &mut S,
        state: &State<Self::Set, S::Name>,
        risks: &mut [(u32, u8); MOST_CELLS],
    ) -> usize;

    /// How many layouts perfect play wins that opens `cell`, or a bound that is not above `floor`. `None` if the cell needs no try
    /// after others, see [`Sets::best_guess`]; `choice` is the cell and the set of those that were tried.
    fn guess(
        &mut self,
        search: &mut S,
        state: &State<Self::Set, S::Name>,
        choice: (usize, u64),
        floor: u32,
    ) -> Result<Option<u32>, S::Ended>;

    /// The value of a state of which nothing is remembered that answers: the product of the values of its independent groups.
    fn product(
        &mut self,
        search: &mut S,
        state: &State<Self::Set, S::Name>,
        aim: Aim,
    ) -> Result<WinBound, S::Ended>;

    /// The value of a state if it is above `floor`, else a bound that is not above.
    fn value(
        &mut self,
        search: &mut S,
        state: State<Self::Set, S::Name>,
        floor: u32,
    ) -> Result<u32, S::Ended> {
        // Its siblings may have told more since its bound was found.
        let known = search.recall(state.name).unwrap_or(state.known);
        let bound = known.value.min(state.known.value);
        if known.exact || bound <= floor {
            return Ok(bound);
        }
        let known = self.product(search, &state, Aim { bound, floor })?;
        search.remember(state.name, known);
        Ok(known.value)
    }

    /// Tries the cells of a state, those first that are safe in most layouts; gives the first of the best cells.
    ///
    /// Two kinds of cells need no try. Be A the layouts where a cell is safe, and the policy one that opens it first:
    ///
    /// - If it shows the same number in all of A, and another cell shows two numbers: put off to the end of the policy, it tells nothing
    ///   that is missed, and wins as much. So one of the cells that show two numbers is as good as any, and two numbers win two
    ///   layouts, where without them one is won.
    /// - If a cell that was tried is safe in all of A: opened just before, it loses none of A, and is open in any case after.
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
        let (mut best, mut exact) = (floor, false);
        // What the cells that are no better than `floor` don't exceed; every state wins one layout.
        let mut not_above = 1;
        let mut tried = 0_u64;
        let mut all_seen = true;
        for &(lost, cell) in &*order {
            let (safe, cell) = (state.len - lost, usize::from(cell));
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
            // No cell tells anything: whatever is opened, one layout is won.
            WinBound {
                value: 1,
                exact: true,
            }
        } else {
            WinBound {
                value: not_above.min(bound),
                exact,
            }
        };
        Ok(Guess {
            cell: best_cell,
            known,
        })
    }

    /// The sum of what is pending, all that is certain in it; no more than `floor` if it is clear that it is not above.
    fn sum(&mut self, search: &mut S, pending: Pending, floor: u32) -> Result<u32, S::Ended> {
        let Pending {
            first,
            most: mut total,
        } = pending;
        if total > floor {
            // The states that lose the smallest share have the tightest bounds, and are soon valued.
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

    /// The product of what is pending.
    fn multiply(
        &mut self,
        search: &mut S,
        pending: Pending,
        aim: Aim,
    ) -> Result<WinBound, S::Ended> {
        let Pending {
            first,
            most: mut product,
        } = pending;
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
