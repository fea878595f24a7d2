//! Sets of any number of layouts, stored as lists.

use std::cmp::{Ordering, Reverse};
use std::ops::Range;

use super::{
    counts::Counts,
    search::{Search, WinBound},
    shape::{MOST_CELLS, cells_of},
    table::{self, Table},
    tree::{Aim, Pending, Sets, State},
};
use mineflow_rng::mix;

/// Number of different values that a cell can show in a layout: 0 to 8, or a mine.
const SHOWN: usize = 10;
const MINE: usize = SHOWN - 1;
/// Maximum number of parts into which layouts are split at once by their signs; part indices must
/// stay below [`NO_PART`].
const MOST_PARTS: usize = 200;
const NO_PART: u8 = u8::MAX;

/// The start of a state's layouts in the lists, and the union and intersection of their mines.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    start: usize,
    /// Union of the mines of its layouts.
    any: u64,
    /// Intersection of the mines of its layouts.
    each: u64,
}

impl<N> State<Span, N> {
    fn layouts(&self) -> Range<usize> {
        self.set.start..self.set.start + self.len as usize
    }

    /// Returns the cells that are mines in some of its layouts but not in all.
    fn undecided(&self) -> u64 {
        self.set.any & !self.set.each
    }
}

/// A stack of layouts: a guess copies the remaining layouts of its state, in parts, to the end of
/// the list. The states form a stack too.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lists<N> {
    layouts: Vec<u64>,
    /// What the cell of the last split shows in each layout.
    shown: Vec<u8>,
    /// For each part, the sign of its layouts and their number. The number is later replaced by the
    /// index where the next layout is written.
    seen: Vec<(u64, usize)>,
    /// The layouts before they are distributed to their parts.
    dealt: Vec<u64>,
    /// The ranges of the parts into which safe cells split the layouts.
    parts: Vec<Range<usize>>,
    states: Vec<State<Span, N>>,
    table: Table<N>,
}

/// For each cell the number that a mine there adds to the sign of a layout.
///
/// The sign is a hash of everything that the safe cells, those that are safe in all layouts of the
/// part, show in a layout. A safe cell shows a sum over the mines around it, and the sign adds up
/// these sums, each multiplied by a random number for the cell; thus the sign is a sum over the
/// mines, too. Layouts that differ in what safe cells show collide with a probability of 2^-64.
struct Signs {
    weights: [u64; MOST_CELLS],
    /// The cells with a non-zero weight.
    told_of: u64,
}

impl Signs {
    fn of(&self, layout: u64) -> u64 {
        cells_of(layout & self.told_of).fold(0, |sum, cell| sum.wrapping_add(self.weights[cell]))
    }
}

impl<N: Copy + Default> Lists<N> {
    /// Clears everything and returns the list into which the caller writes the layouts.
    pub fn begin(&mut self) -> &mut Vec<u64> {
        self.layouts.clear();
        self.states.clear();
        self.parts.clear();
        &mut self.layouts
    }

    /// Returns the optimal cell of all layouts and its value. Ties go to cells that may show
    /// several numbers, then to the safest, then to the first.
    pub fn best_of_all<S: Search<Name = N>>(
        &mut self,
        search: &mut S,
    ) -> Result<(usize, u32), S::Ended> {
        if self.layouts.len() <= table::MOST {
            self.table.build(search, &self.layouts);
            return self.table.best_of_all(search);
        }
        let state = self.state(0..self.layouts.len());
        let aim = Aim {
            bound: state.len,
            floor: 0,
        };
        let guess = self.best_guess(search, &state, aim)?;
        Ok((guess.cell, guess.known.value))
    }

    /// Returns each cell that is a mine in some layouts and safe in others, with the number of
    /// layouts that optimal play wins after opening it.
    pub fn value_of_each<S: Search<Name = N>>(
        &mut self,
        search: &mut S,
    ) -> Result<Vec<(usize, u32)>, S::Ended> {
        let state = self.state(0..self.layouts.len());
        let value = |cell| {
            search.spend()?;
            let (lens, _) = self.split(search, state.layouts(), cell);
            Ok((cell, self.value_of_split(search, &state, (cell, &lens), 0)?))
        };
        cells_of(state.undecided()).map(value).collect()
    }

    /// Returns how many of all layouts optimal play wins after opening `cells`. Each of the open
    /// cells `used` shows the same number in all layouts.
    pub fn value_of_all<S: Search<Name = N>>(
        &mut self,
        search: &mut S,
        (used, cells): (u64, u64),
    ) -> Result<u32, S::Ended> {
        self.layouts.retain(|layout| layout & cells == 0);
        let won = self.open_safe(search, 0..self.layouts.len(), used);
        let most = won + self.bound_from(search, 0);
        self.sum(search, Pending { first: 0, most }, 0)
    }

    /// Returns the state of some layouts, with a default name and a trivial bound.
    fn state(&self, layouts: Range<usize>) -> State<Span, N> {
        let start = layouts.start;
        let len = layouts.len() as u32;
        let mines = self.layouts[layouts].iter();
        let (any, each) = mines.fold((0, !0), |(any, each), layout| (any | layout, each & layout));
        State {
            set: Span { start, any, each },
            len,
            name: N::default(),
            known: WinBound::at_most(len),
        }
    }

    /// Splits layouts by the number that `cell` shows; layouts in which it is a mine are in no
    /// part. Returns the number of layouts in each part, and the union of their mines.
    fn split(
        &mut self,
        search: &mut impl Search,
        layouts: Range<usize>,
        cell: usize,
    ) -> ([usize; MINE], u64) {
        search.work(layouts.len());
        let around = search.shape().around[cell];
        let layouts = &self.layouts[layouts];
        self.shown.clear();
        self.shown
            .extend(layouts.iter().map(|&layout| match layout >> cell & 1 {
                0 => (layout & around).count_ones() as u8,
                _ => MINE as u8,
            }));
        let mut lens = [0; SHOWN];
        let mut any = 0;
        for (&layout, &shown) in layouts.iter().zip(&self.shown) {
            lens[usize::from(shown)] += 1;
            any |= if shown == MINE as u8 { 0 } else { layout };
        }
        (std::array::from_fn(|number| lens[number]), any)
    }

    /// Copies the layouts of a state that remain after the last split to the end of the list,
    /// grouped by number.
    fn copy_parts(&mut self, state: &State<Span, N>, lens: &[usize; MINE]) -> [Range<usize>; MINE] {
        let mut end = self.layouts.len();
        let mut places = lens.map(|len| {
            end += len;
            end - len
        });
        let parts = std::array::from_fn(|number| places[number]..places[number] + lens[number]);
        self.layouts.resize(end, 0);
        for (index, &shown) in state.layouts().zip(&self.shown) {
            if let Some(place) = places.get_mut(usize::from(shown)) {
                self.layouts[*place] = self.layouts[index];
                *place += 1;
            }
        }
        parts
    }

    /// Returns the number of layouts of a state that optimal play wins after guessing `cell`: exact
    /// above `floor`, otherwise an upper bound that is not above `floor`. [`Lists::split`] must
    /// just have split the state by `cell` into parts of these lengths.
    fn value_of_split<S: Search<Name = N>>(
        &mut self,
        search: &mut S,
        state: &State<Span, N>,
        (cell, lens): (usize, &[usize; MINE]),
        floor: u32,
    ) -> Result<u32, S::Ended> {
        let first_layout = self.layouts.len();
        search.make_room(&mut self.layouts, lens.iter().sum())?;
        let parts = self.copy_parts(state, lens);
        let total = self.value_of_parts(search, parts, !state.set.any | 1 << cell, floor)?;
        self.layouts.truncate(first_layout);
        Ok(total)
    }

    /// Returns the number of layouts that optimal play wins after a guess that left these parts of
    /// a state: exact above `floor`, otherwise an upper bound that is not above `floor`. `used` are
    /// the open cells.
    fn value_of_parts<S: Search<Name = N>>(
        &mut self,
        search: &mut S,
        mut parts: [Range<usize>; MINE],
        used: u64,
        floor: u32,
    ) -> Result<u32, S::Ended> {
        let mut total = parts.iter().map(|part| part.len() as u32).sum();
        // Large parts come first because they may lose the most layouts.
        parts.sort_unstable_by_key(|part| (Reverse(part.len()), part.start));
        let first = self.states.len();
        for part in parts {
            // A part of one layout loses nothing.
            if part.len() < 2 || total <= floor {
                break;
            }
            let len = part.len() as u32;
            let own = self.states.len();
            let won = self.open_safe(search, part, used);
            total = total - len + won + self.bound_from(search, own);
        }
        self.sum(search, Pending { first, most: total }, floor)
    }

    /// Opens the cells that are safe in all layouts of a part, and continues recursively in the
    /// parts into which their numbers split it, until such cells give no more information. Returns
    /// the number of layouts that are won in any case, and pushes the states in which more may be
    /// won. The numbers of the cells in `used` give no more information.
    fn open_safe(&mut self, search: &mut impl Search, layouts: Range<usize>, used: u64) -> u32 {
        if layouts.len() <= 1 {
            return layouts.len() as u32;
        }
        let state = self.state(layouts.clone());
        let safe = search.shape().all & !state.set.any & !used;
        let mut signs = Signs {
            weights: [0; MOST_CELLS],
            told_of: 0,
        };
        for cell in cells_of(state.undecided()) {
            let near = search.shape().around[cell] & safe;
            if near != 0 {
                signs.told_of |= 1 << cell;
                signs.weights[cell] =
                    cells_of(near).fold(0, |sum, safe| sum.wrapping_add(mix(safe as u64)));
            }
        }
        if signs.told_of != 0 {
            search.work(layouts.len());
            let first = signs.of(self.layouts[layouts.start]);
            let mut all = self.layouts[layouts.clone()].iter();
            if all.any(|&layout| signs.of(layout) != first) {
                return self.split_by_signs(search, layouts, &signs, (used, used | safe));
            }
        }
        // Of two layouts that safe cells can't distinguish, one is won.
        if layouts.len() == 2 {
            return 1;
        }
        self.states.push(state);
        0
    }

    /// Continues [`Lists::open_safe`] in the parts of equal signs. The cells in `known` give no
    /// information about all the layouts together, and those in `used` give none within any single
    /// part.
    fn split_by_signs(
        &mut self,
        search: &mut impl Search,
        layouts: Range<usize>,
        signs: &Signs,
        (known, used): (u64, u64),
    ) -> u32 {
        let first = self.parts.len();
        self.sort_by_signs(layouts.clone(), signs);
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

    /// Finds the part of each layout and the number of layouts in each part but the last. The last
    /// part takes all signs beyond [`MOST_PARTS`] and is split later.
    fn sort_by_signs(&mut self, layouts: Range<usize>, signs: &Signs) {
        // A hash table on one byte of the sign, with linear probing; each slot holds a part.
        let mut slots = [NO_PART; 1 << u8::BITS];
        self.shown.clear();
        self.seen.clear();
        for &layout in &self.layouts[layouts] {
            let sign = signs.of(layout);
            let mut slot = (sign >> (u64::BITS - u8::BITS)) as u8;
            let part = loop {
                let part = slots[usize::from(slot)];
                if part == NO_PART && self.seen.len() < MOST_PARTS {
                    slots[usize::from(slot)] = self.seen.len() as u8;
                    self.seen.push((sign, 1));
                    break self.seen.len() as u8 - 1;
                } else if part == NO_PART {
                    break MOST_PARTS as u8;
                } else if self.seen[usize::from(part)].0 == sign {
                    self.seen[usize::from(part)].1 += 1;
                    break part;
                }
                slot = slot.wrapping_add(1);
            };
            self.shown.push(part);
        }
    }

    /// Sets the names and bounds of the states from `first` on. Returns the sum of the bounds.
    fn bound_from<S: Search<Name = N>>(&mut self, search: &mut S, first: usize) -> u32 {
        let mut sum = 0;
        for index in first..self.states.len() {
            let mut state = self.states[index];
            let layouts = &self.layouts[state.layouts()];
            let undecided = state.undecided();
            search.work(layouts.len());
            let open = search.shape().all & !state.set.any;
            state.name = search.name(layouts.iter().copied(), undecided, || open);
            state.known = search.recall(state.name).unwrap_or_else(|| {
                search.work(layouts.len());
                WinBound::at_most(state.len - Counts::of_sets(layouts).least(undecided))
            });
            sum += state.known.value;
            self.states[index] = state;
        }
        sum
    }
}

impl<S: Search<Name: Default>> Sets<S> for Lists<S::Name> {
    type Set = Span;

    fn states(&mut self) -> &mut Vec<State<Span, S::Name>> {
        &mut self.states
    }

    fn tie(a: &Span, b: &Span) -> Ordering {
        a.start.cmp(&b.start)
    }

    fn risks(
        &self,
        search: &mut S,
        state: &State<Span, S::Name>,
        risks: &mut [(u32, u8); MOST_CELLS],
    ) -> usize {
        search.work(state.len as usize);
        let mines = Counts::of_sets(&self.layouts[state.layouts()]);
        let cells = cells_of(state.undecided()).zip(risks);
        cells
            .map(|(cell, risk)| *risk = (mines.of(cell), cell as u8))
            .count()
    }

    fn guess(
        &mut self,
        search: &mut S,
        state: &State<Span, S::Name>,
        (cell, tried): (usize, u64),
        floor: u32,
    ) -> Result<Option<u32>, S::Ended> {
        let (lens, mines) = self.split(search, state.layouts(), cell);
        if lens.iter().filter(|&&len| len > 0).count() == 1 || tried & !mines != 0 {
            return Ok(None);
        }
        self.value_of_split(search, state, (cell, &lens), floor)
            .map(Some)
    }

    fn product(
        &mut self,
        search: &mut S,
        state: &State<Span, S::Name>,
        aim: Aim,
    ) -> Result<WinBound, S::Ended> {
        let layouts = &self.layouts[state.layouts()];
        if layouts.len() <= table::MOST {
            self.table.build(search, layouts);
            return self.table.value_of_all(search, aim);
        }
        let layout = layouts[0];
        search.work(layouts.len());
        let open = search.shape().all & !state.set.any;
        search.shape().group(state.undecided(), open, |group| {
            layouts
                .iter()
                .all(|other| (other & group).count_ones() == (layout & group).count_ones())
        });
        if search.shape().groups.len() < 2 {
            return Ok(self.best_guess(search, state, aim)?.known);
        }
        let first_layout = self.layouts.len();
        let first = self.states.len();
        for group in 0..search.shape().groups.len() {
            // The layouts of this group, with all other cells as in one fixed layout.
            let own = search.shape().groups[group];
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
        self.bound_from(search, first);
        let parts = self.states[first..].iter();
        let most = parts.map(|part| part.known.value).product();
        let known = self.multiply(search, Pending { first, most }, aim)?;
        self.layouts.truncate(first_layout);
        Ok(known)
    }
}
