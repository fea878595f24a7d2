//! Sets of any number of layouts, one after the other.

use std::cmp::Reverse;
use std::ops::Range;

use super::counts::Counts;
use super::search::{Ended, Known, Search, name};
use super::shape::{MAX_CELLS, cells_of};
use super::table::{self, Table};
use mineflow_rng::mix;

/// What a cell shows in a layout: 0 to 8, or a mine.
const SHOWN: usize = 10;
const MINE: usize = SHOWN - 1;
/// Most parts by sign that are made at once: numbers below [`NO_PART`].
const MOST_PARTS: usize = 200;
const NO_PART: u8 = u8::MAX;

/// A set of layouts in which every cell that is safe in all is open.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Its layouts, in those of the lists.
    start: usize,
    len: usize,
    /// Mines of any of them.
    any: u64,
    /// Mines of each of them.
    each: u64,
    name: u64,
    known: Known,
}

impl State {
    fn layouts(&self) -> Range<usize> {
        self.start..self.start + self.len
    }

    /// Cells that are mines in some of its layouts, and not in others.
    fn undecided(&self) -> u64 {
        self.any & !self.each
    }
}

/// A stack of layouts: those that a guess leaves are copied behind those of its state, in parts. Its states are one as well.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    layouts: Vec<u64>,
    /// What the cell of the last split shows in each layout.
    shown: Vec<u8>,
    /// For each layout of a part a number that stands for all that its safe cells show.
    signs: Vec<u64>,
    /// The signs of the parts, and how many layouts each has, then where the next one goes.
    seen: Vec<(u64, usize)>,
    /// Layouts before they are dealt to their parts.
    dealt: Vec<u64>,
    /// The parts that safe cells make.
    parts: Vec<Range<usize>>,
    states: Vec<State>,
    table: Table,
}

impl Lists {
    /// Forgets everything; gives where the layouts go.
    pub(super) fn begin(&mut self) -> &mut Vec<u64> {
        self.layouts.clear();
        self.states.clear();
        self.parts.clear();
        &mut self.layouts
    }

    /// The best cell of all layouts, the safest and then the first of equals, and its value.
    pub(super) fn best_of_all(&mut self, search: &mut Search<'_>) -> Result<(usize, u32), Ended> {
        if self.layouts.len() <= table::MOST {
            self.table.build(search, &self.layouts);
            return self.table.best_of_all(search);
        }
        let (len, mut cell) = (self.layouts.len(), 0);
        let state = self.state(0..len);
        let known = self.best_guess(search, state, len as u32, 0, &mut cell)?;
        Ok((cell, known.value))
    }

    /// The state of some layouts, before anything is known of it.
    fn state(&self, layouts: Range<usize>) -> State {
        let mines = self.layouts[layouts.clone()].iter();
        let (any, each) = mines.fold((0, !0), |(any, each), layout| (any | layout, each & layout));
        let known = Known { value: layouts.len() as u32, exact: false };
        State { start: layouts.start, len: layouts.len(), any, each, name: 0, known }
    }

    /// The value of a state if it is above `floor`, else a bound that is not above.
    fn value(&mut self, search: &mut Search<'_>, state: State, floor: u32) -> Result<u32, Ended> {
        // Its siblings may have told more since its bound was found.
        let known = search.memo.get(&state.name).copied().unwrap_or(state.known);
        let bound = known.value.min(state.known.value);
        if known.exact || bound <= floor {
            return Ok(bound);
        }
        let known = if state.len <= table::MOST {
            self.table.build(search, &self.layouts[state.layouts()]);
            self.table.value_of_all(search, bound, floor)?
        } else {
            self.product(search, state, bound, floor)?
        };
        search.memo.insert(state.name, known);
        Ok(known.value)
    }

    /// The product of the values of the independent groups.
    fn product(&mut self, search: &mut Search<'_>, state: State, bound: u32, floor: u32) -> Result<Known, Ended> {
        let layouts = &self.layouts[state.layouts()];
        let layout = layouts[0];
        search.work += state.len as u64;
        search.shape.group(state.undecided(), search.shape.all & !state.any, |group| {
            layouts.iter().all(|other| (other & group).count_ones() == (layout & group).count_ones())
        });
        if search.shape.groups.len() < 2 {
            return self.best_guess(search, state, bound, floor, &mut 0);
        }
        let (first_layout, first_state) = (self.layouts.len(), self.states.len());
        for group in 0..search.shape.groups.len() {
            // The ways to lay it, all else as in one of the layouts.
            let own = search.shape.groups[group];
            let start = self.layouts.len();
            for index in state.layouts() {
                let other = self.layouts[index];
                if (other ^ layout) & !own == 0 {
                    self.layouts.push(other);
                }
            }
            let part = self.state(start..self.layouts.len());
            self.states.push(part);
        }
        self.bound_from(search, first_state);
        let mut product = self.states[first_state..].iter().map(|part| part.known.value).product::<u32>();
        for index in first_state..self.states.len() {
            if product <= floor {
                break;
            }
            let part = self.states[index];
            let others = product / part.known.value;
            product = others * self.value(search, part, floor / others)?;
        }
        self.states.truncate(first_state);
        self.layouts.truncate(first_layout);
        Ok(Known { value: product.min(bound), exact: product > floor })
    }

    /// Tries the cells of a state, those first that are safe in most layouts. `bound` is one of its value, above `floor`; what is
    /// found is the value, or a bound that is not above `floor`. `best_cell` becomes the first of the best cells.
    ///
    /// Two kinds of cells need no try. Be A the layouts where a cell is safe, and the policy one that opens it first:
    ///
    /// - If it shows the same number in all of A, and another cell shows two numbers: put off to the end of the policy, it tells nothing
    ///   that is missed, and wins as much. So one of the cells that show two numbers is as good as any, and two numbers win two
    ///   layouts, where without them one is won.
    /// - If a cell that was tried is safe in all of A: opened just before, it loses none of A, and is open in any case after.
    fn best_guess(
        &mut self,
        search: &mut Search<'_>,
        state: State,
        bound: u32,
        floor: u32,
        best_cell: &mut usize,
    ) -> Result<Known, Ended> {
        search.spend()?;
        search.work += state.len as u64;
        let mines = self.mines(&state);
        let mut order = [0; MAX_CELLS];
        let candidates = cells_of(state.undecided()).zip(&mut order).map(|(cell, slot)| *slot = cell).count();
        let order = &mut order[..candidates];
        order.sort_unstable_by_key(|&cell| (mines.of(cell), cell));
        *best_cell = order[0];

        let (first_layout, first_state) = (self.layouts.len(), self.states.len());
        let (mut best, mut exact) = (floor, false);
        // What the cells that are no better than `floor` don't exceed; every state wins one layout.
        let mut not_above = 1;
        let mut tried = 0_u64;
        let mut all_seen = true;
        for &cell in &*order {
            let safe = state.len as u32 - mines.of(cell);
            if safe <= best || bound <= best {
                not_above = not_above.max(safe);
                all_seen = false;
                break;
            }
            let (lens, mines) = self.split(search, state.layouts(), cell);
            if lens.iter().filter(|&&len| len > 0).count() == 1 || tried & !mines != 0 {
                continue;
            }
            tried |= 1 << cell;
            let total = self.value_of_parts(search, &state, cell, &lens, best)?;
            self.states.truncate(first_state);
            self.layouts.truncate(first_layout);
            if total > best {
                (best, exact) = (total, true);
                *best_cell = cell;
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

    /// In how many layouts of a state each cell is a mine.
    fn mines(&self, state: &State) -> Counts {
        Counts::of_sets(&self.layouts[state.layouts()])
    }

    /// Splits layouts by the number that `cell` shows; those where it is a mine are in no part. Gives how many are in each, and the
    /// mines of any of them.
    fn split(&mut self, search: &mut Search<'_>, layouts: Range<usize>, cell: usize) -> ([usize; MINE], u64) {
        search.work += layouts.len() as u64;
        let around = search.shape.around[cell];
        self.shown.clear();
        self.shown.extend(self.layouts[layouts.clone()].iter().map(|&layout| match layout >> cell & 1 {
            0 => (layout & around).count_ones() as u8,
            _ => MINE as u8,
        }));
        let (mut lens, mut any) = ([0; SHOWN], 0);
        for (&layout, &shown) in self.layouts[layouts].iter().zip(&self.shown) {
            lens[usize::from(shown)] += 1;
            any |= if shown == MINE as u8 { 0 } else { layout };
        }
        (std::array::from_fn(|number| lens[number]), any)
    }

    /// How many layouts best play wins after a guess that left these parts of a state; no more than `floor` if it is clear that it is not
    /// above.
    fn value_of_parts(
        &mut self,
        search: &mut Search<'_>,
        state: &State,
        cell: usize,
        lens: &[usize; MINE],
        floor: u32,
    ) -> Result<u32, Ended> {
        // The layouts that are left behind all others, by number.
        let mut end = self.layouts.len();
        let mut places = lens.map(|len| {
            end += len;
            end - len
        });
        let mut parts: [_; MINE] = std::array::from_fn(|number| places[number]..places[number] + lens[number]);
        self.layouts.resize(end, 0);
        for (index, &shown) in state.layouts().zip(&self.shown) {
            if let Some(place) = places.get_mut(usize::from(shown)) {
                self.layouts[*place] = self.layouts[index];
                *place += 1;
            }
        }
        let mut total = lens.iter().sum::<usize>() as u32;
        // Large parts have the most to lose.
        parts.sort_unstable_by_key(|part| (Reverse(part.len()), part.start));
        let first = self.states.len();
        for part in parts {
            // Of one layout nothing is lost.
            if part.len() < 2 || total <= floor {
                break;
            }
            let (len, own) = (part.len() as u32, self.states.len());
            let won = self.open_safe(search, part, !state.any | 1 << cell);
            total = total - len + won + self.bound_from(search, own);
        }
        // The states that lose the smallest share have the tightest bounds, and are soon valued.
        self.states[first..].sort_unstable_by(|a, b| {
            let share = |a: &State, b: &State| u64::from(a.known.value) * b.len as u64;
            share(b, a).cmp(&share(a, b)).then((a.len, a.start).cmp(&(b.len, b.start)))
        });
        for index in first..self.states.len() {
            if total <= floor {
                break;
            }
            let part = self.states[index];
            let others = total - part.known.value;
            total = others + self.value(search, part, floor.saturating_sub(others))?;
        }
        Ok(total)
    }

    /// Opens the cells that are safe in all layouts of a part, and goes on in the parts that their numbers make of it, until no such cell
    /// tells anything. Gives how many layouts are won whatever is done next, and pushes the states of which more may be. The
    /// numbers of the cells in `used` tell nothing more.
    fn open_safe(&mut self, search: &mut Search<'_>, layouts: Range<usize>, used: u64) -> u32 {
        if layouts.len() <= 1 {
            return layouts.len() as u32;
        }
        let state = self.state(layouts.clone());
        let safe = search.shape.all & !state.any & !used;
        // A safe cell shows a sum over the mines around it. Such sums, each times a number of its own, add up to a sign of all that
        // safe cells show; so it is a sum over the mines, too.
        let (mut weights, mut told_of) = ([0u64; MAX_CELLS], 0);
        for cell in cells_of(state.undecided()) {
            let near = search.shape.around[cell] & safe;
            if near != 0 {
                told_of |= 1 << cell;
                weights[cell] = cells_of(near).fold(0, |sum, safe| sum.wrapping_add(mix(safe as u64)));
            }
        }
        if told_of != 0 {
            search.work += layouts.len() as u64;
            let sign =
                |layout: &u64| cells_of(layout & told_of).fold(0u64, |sum, cell| sum.wrapping_add(weights[cell]));
            self.signs.clear();
            self.signs.extend(self.layouts[layouts.clone()].iter().map(sign));
            if self.signs.iter().any(|sign| *sign != self.signs[0]) {
                return self.split_by_signs(search, layouts, used, used | safe);
            }
        }
        // Of two layouts, one is won.
        if layouts.len() == 2 {
            return 1;
        }
        self.states.push(state);
        0
    }

    /// Goes on with [`Lists::open_safe`] in the parts of equal signs. `known` are the cells that tell nothing of all the layouts, `used` those
    /// that tell nothing of any part.
    fn split_by_signs(&mut self, search: &mut Search<'_>, layouts: Range<usize>, known: u64, used: u64) -> u32 {
        let first = self.parts.len();
        // The first part that a byte of the sign stands for, and those behind it.
        let mut slots = [NO_PART; 1 << u8::BITS];
        self.shown.clear();
        self.seen.clear();
        for &sign in &self.signs {
            let mut slot = (sign >> (u64::BITS - u8::BITS)) as u8;
            let part = loop {
                let part = slots[usize::from(slot)];
                if part == NO_PART && self.seen.len() < MOST_PARTS {
                    slots[usize::from(slot)] = self.seen.len() as u8;
                    self.seen.push((sign, 1));
                    break self.seen.len() as u8 - 1;
                } else if part == NO_PART {
                    // The rest is one more part, and split later.
                    break MOST_PARTS as u8;
                } else if self.seen[usize::from(part)].0 == sign {
                    self.seen[usize::from(part)].1 += 1;
                    break part;
                }
                slot = slot.wrapping_add(1);
            };
            self.shown.push(part);
        }
        let rest = layouts.len() - self.seen.iter().map(|seen| seen.1).sum::<usize>();
        self.seen.push((0, rest));
        let mut start = layouts.start;
        for seen in &mut self.seen {
            self.parts.push(start..start + seen.1);
            start += seen.1;
            seen.1 = start - seen.1;
        }
        self.dealt.clear();
        self.dealt.extend_from_slice(&self.layouts[layouts]);
        for (&layout, &part) in self.dealt.iter().zip(&self.shown) {
            let place = &mut self.seen[usize::from(part)].1;
            self.layouts[*place] = layout;
            *place += 1;
        }
        let rest = self.parts.len() - 1;
        let mut won = 0;
        for index in first..self.parts.len() {
            let now_used = if index == rest { known } else { used };
            won += self.open_safe(search, self.parts[index].clone(), now_used);
        }
        self.parts.truncate(first);
        won
    }

    /// Finds names and bounds of the states from `first` on, and the sum of the bounds.
    fn bound_from(&mut self, search: &mut Search<'_>, first: usize) -> u32 {
        let mut sum = 0;
        for index in first..self.states.len() {
            let mut state = self.states[index];
            search.work += state.len as u64;
            state.name = name(self.layouts[state.layouts()].iter().copied(), state.undecided());
            state.known = search.memo.get(&state.name).copied().unwrap_or_else(|| {
                search.work += state.len as u64;
                let mines = self.mines(&state);
                Known { value: state.len as u32 - mines.least(state.undecided()), exact: false }
            });
            sum += state.known.value;
            self.states[index] = state;
        }
        sum
    }
}
