//! The game tree: which cell to guess, and the value of best play.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::layouts::Layouts;
use super::memo::{Known, Memo};
use super::shape::{MOST_CELLS, Shape, cells_of};
use super::stack::{Halt, Parts, Stack, State};
use crate::Cell;

/// States that are told at once to those who wait.
const REPORTED: u64 = 256;
/// First layouts between two looks at the flag.
const LOOKED: usize = 1 << 16;

/// A depth-first search with bounds.
pub(super) struct Search<'a> {
    shape: &'a Shape,
    memo: &'a Memo,
    reported: &'a AtomicU64,
    stack: Stack<'a>,
    valued: u64,
}

impl<'a> Search<'a> {
    /// A search that holds at most `room` layouts, and adds to `reported` how many states it valued.
    pub(super) fn new(
        shape: &'a Shape,
        memo: &'a Memo,
        reported: &'a AtomicU64,
        stop: &'a AtomicBool,
        room: usize,
    ) -> Self {
        Self { shape, memo, reported, stack: Stack::new(shape, stop, room), valued: 0 }
    }

    /// How many layouts best play wins that begins with `cell`.
    pub(super) fn first_click(&mut self, cell: Cell, layouts: &Layouts) -> Result<u64, Halt> {
        let cell = cell.index();
        self.stack.look(layouts.count() as usize)?;
        for layout in layouts.iter().filter(|layout| layout >> cell & 1 == 0) {
            if self.stack.layouts.len().is_multiple_of(LOOKED) {
                self.stack.look(0)?;
            }
            self.stack.layouts.push(layout);
        }
        let all = 0..self.stack.layouts.len();
        let split = self.stack.split(all.clone(), cell);
        let parts = self.stack.arrange(all, &split);
        self.value_of_parts(parts, 1 << cell, 0).map(u64::from)
    }

    /// The value of a state if it is above `floor`, else a bound of it that is not above.
    fn value(&mut self, state: State, floor: u32) -> Result<u32, Halt> {
        if state.exact || state.bound <= floor {
            return Ok(state.bound);
        }
        // Its siblings may have told more since its bound was found.
        let known = self.memo.get(state.name);
        if let Some(known) = known.filter(|known| known.exact || known.value <= floor) {
            return Ok(known.value.min(state.bound));
        }
        self.valued += 1;
        if self.valued.is_multiple_of(REPORTED) {
            self.reported.fetch_add(REPORTED, Ordering::Relaxed);
        }
        let bound = known.map_or(state.bound, |known| known.value.min(state.bound));
        let valued = self.best_guess(state, bound, floor)?;
        self.memo.put(state.name, valued);
        Ok(valued.value)
    }

    /// Tries the cells of a state, those first that are safe in most layouts. `bound` is one of its value, above `floor`; what is
    /// found is the value, or a bound that is not above `floor`.
    ///
    /// Two kinds of cells need no try. Be A the layouts where a cell is safe, and the policy one that opens it first:
    ///
    /// - If it shows the same number in all of A, and another cell shows two numbers: put off to the end of the policy, it tells nothing
    ///   that is missed, and wins as much. So one of the cells that show two numbers is as good as any, and two numbers win two
    ///   layouts, where without them one is won.
    /// - If a cell that was tried is safe in all of A: opened just before, it loses none of A, and is open in any case after.
    fn best_guess(&mut self, state: State, bound: u32, floor: u32) -> Result<Known, Halt> {
        let mines = self.stack.mines(&state);
        let mut order = [0; MOST_CELLS];
        let candidates = cells_of(state.undecided()).zip(&mut order).map(|(cell, slot)| *slot = cell).count();
        let order = &mut order[..candidates];
        order.sort_unstable_by_key(|&cell| (mines[cell], cell));

        let (first_layout, first_state) = (self.stack.layouts.len(), self.stack.states.len());
        let (mut best, mut exact) = (floor, false);
        // What the cells that are no better than `floor` don't exceed; every state wins one layout.
        let mut not_above = 1;
        let mut tried = 0_u64;
        let mut all_seen = true;
        for &cell in &*order {
            let safe = state.len - mines[cell];
            if safe <= best || bound <= best {
                not_above = not_above.max(safe);
                all_seen = false;
                break;
            }
            let split = self.stack.split(state.layouts(), cell);
            if split.numbers() == 1 || tried & !split.mines() != 0 {
                continue;
            }
            tried |= 1 << cell;
            let parts = self.stack.copy_parts(state.layouts(), &split)?;
            let total = self.value_of_parts(parts, !state.any | 1 << cell, best)?;
            self.stack.states.truncate(first_state);
            self.stack.layouts.truncate(first_layout);
            if total > best {
                (best, exact) = (total, true);
            } else {
                not_above = not_above.max(total);
            }
        }
        Ok(if exact {
            Known { value: best, exact }
        } else if all_seen && tried == 0 {
            // No cell tells anything: whatever is opened, one layout is won.
            Known { value: 1, exact: true }
        } else {
            Known { value: not_above.min(bound), exact }
        })
    }

    /// How many layouts best play wins after a guess that left these parts; no more than `floor` if it is clear that it is not above.
    /// `used` are the open cells.
    fn value_of_parts(&mut self, mut parts: Parts, used: u64, floor: u32) -> Result<u32, Halt> {
        let mut total = parts.iter().map(|part| part.len() as u32).sum();
        // Large parts have the most to lose.
        parts.sort_unstable_by_key(|part| Reverse(part.len()));
        let first = self.stack.states.len();
        for part in parts {
            // Of one layout nothing is lost.
            if part.len() < 2 || total <= floor {
                break;
            }
            let (len, own) = (part.len() as u32, self.stack.states.len());
            let won = self.stack.open_safe(part, used)?;
            total = total - len + won + self.bound_from(own);
        }
        // The states that lose the smallest share have the tightest bounds, and are soon valued.
        let more = |a: &State, b: &State| {
            let (a_share, b_share) = (u64::from(a.bound) * u64::from(b.len), u64::from(b.bound) * u64::from(a.len));
            b_share.cmp(&a_share).then(a.len.cmp(&b.len))
        };
        self.stack.states[first..].sort_unstable_by(more);
        for index in first..self.stack.states.len() {
            if total <= floor {
                break;
            }
            let state = self.stack.states[index];
            let others = total - state.bound;
            total = others + self.value(state, floor.saturating_sub(others))?;
        }
        Ok(total)
    }

    /// Finds bounds of the states from `first` on, and their sum.
    fn bound_from(&mut self, first: usize) -> u32 {
        let mut sum = 0;
        for index in first..self.stack.states.len() {
            let mut state = self.stack.states[index];
            let layout = self.stack.layouts[state.layouts().start];
            state.name = self.shape.name(state.undecided(), self.shape.all & !state.any, layout);
            match self.memo.get(state.name) {
                Some(known) => (state.bound, state.exact) = (known.value, known.exact),
                None => {
                    let mines = self.stack.mines(&state);
                    let fewest = cells_of(state.undecided()).map(|cell| mines[cell]).min();
                    state.bound = state.len - fewest.unwrap_or(0);
                }
            }
            sum += state.bound;
            self.stack.states[index] = state;
        }
        sum
    }
}
