//! Sets of at most 64 layouts: a set is a word, and what a cell shows in all its layouts is found at once.

use super::search::{Ended, Known, Search, name};
use super::shape::{MAX_CELLS, cells_of};

/// Most layouts of a table.
pub(super) const MOST: usize = 64;

/// A set of at least three layouts in which every cell that is safe in all is open.
#[derive(Clone, Copy, Debug)]
struct State {
    layouts: u64,
    /// Cells that are mines in some of them, and not in others.
    undecided: u64,
    len: u32,
    name: u64,
    known: Known,
}

/// A few layouts, and a search of their sets.
#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    layouts: Vec<u64>,
    /// Cells that are safe in all layouts.
    open: u64,
    /// The undecided cells of all layouts.
    cells: Vec<u8>,
    /// The layouts in which each of `cells` is a mine.
    mines: Vec<u64>,
    /// For each of `cells` the sets of layouts in which it shows the same number, `numbers[first[i]..first[i + 1]]`.
    numbers: Vec<u64>,
    first: Vec<u32>,
    /// States on the way down the tree.
    states: Vec<State>,
}

impl Table {
    /// Takes in other layouts, at most [`MOST`]; every cell that is safe in all of them is open.
    pub(super) fn build(&mut self, search: &Search<'_>, layouts: &[u64]) {
        let Self { cells, mines, numbers, first, states, .. } = self;
        self.layouts.clear();
        self.layouts.extend_from_slice(layouts);
        cells.clear();
        mines.clear();
        numbers.clear();
        first.clear();
        states.clear();
        let (any, each) = layouts.iter().fold((0, !0), |(any, each), layout| (any | layout, each & layout));
        let undecided = any & !each;
        self.open = search.shape.all & !any;
        let mut of_cell = [0u64; MAX_CELLS];
        for (i, layout) in layouts.iter().enumerate() {
            cells_of(layout & undecided).for_each(|cell| of_cell[cell] |= 1 << i);
        }
        let all = !0 >> (MOST - layouts.len());
        for cell in cells_of(undecided) {
            cells.push(cell as u8);
            mines.push(of_cell[cell]);
            first.push(numbers.len() as u32);
            // The number of mines around in each layout, a word for each of its binary digits.
            let (mut digits, mut most) = ([0; 4], 0);
            for near in cells_of(search.shape.around[cell] & undecided) {
                add(&mut digits, of_cell[near]);
                most += 1;
            }
            for number in 0..=most {
                let is = |at: usize, digit: u64| if number >> at & 1 == 1 { digit } else { !digit };
                let shown =
                    digits.iter().enumerate().fold(all & !of_cell[cell], |set, (at, &digit)| set & is(at, digit));
                if shown != 0 {
                    numbers.push(shown);
                }
            }
        }
        first.push(numbers.len() as u32);
    }

    /// The value of all layouts if it is above `floor`, else a bound that is not above. `bound` is one that is.
    pub(super) fn value_of_all(&mut self, search: &mut Search<'_>, bound: u32, floor: u32) -> Result<Known, Ended> {
        let state = self.all();
        self.product(search, state, bound, floor)
    }

    /// The best cell of all layouts, and its value.
    pub(super) fn best_of_all(&mut self, search: &mut Search<'_>) -> Result<(usize, u32), Ended> {
        let (mut cell, state) = (0, self.all());
        let known = self.best_guess(search, state, state.len, 0, &mut cell)?;
        Ok((usize::from(self.cells[cell]), known.value))
    }

    fn all(&self) -> State {
        let (len, undecided) = (self.layouts.len(), self.cells.iter().fold(0, |set, &cell| set | 1 << cell));
        let known = Known { value: len as u32, exact: false };
        State { layouts: !0 >> (MOST - len), undecided, len: len as u32, name: 0, known }
    }

    /// Whether a cell shows several numbers in a set of layouts in which it is safe.
    #[inline]
    fn tells(&self, cell: usize, set: u64) -> bool {
        let shown = self.numbers[self.first[cell] as usize..].iter().find(|&shown| shown & set != 0);
        shown.is_some_and(|shown| set & !shown != 0)
    }

    /// Opens the cells that are safe in all of a set, and goes on in the parts that their numbers make of it, until no such cell tells
    /// anything. Gives how many layouts are won whatever is done next, and pushes the states of which more may be.
    fn open_safe(&mut self, search: &mut Search<'_>, set: u64) -> u32 {
        if set & set.wrapping_sub(1) == 0 {
            return u32::from(set != 0);
        }
        search.work += self.cells.len() as u64;
        let safe = (0..self.cells.len()).find(|&cell| set & self.mines[cell] == 0 && self.tells(cell, set));
        if let Some(cell) = safe {
            let numbers = self.first[cell] as usize..self.first[cell + 1] as usize;
            return numbers.map(|number| self.open_safe(search, set & self.numbers[number])).sum();
        }
        let len = set.count_ones();
        // Of two layouts, one is won.
        if len == 2 {
            return 1;
        }
        let (mut most, mut undecided) = (1, 0);
        for (cell, &mines) in self.mines.iter().enumerate() {
            let lost = set & mines;
            if lost != 0 && lost != set {
                undecided |= 1 << self.cells[cell];
                let safe = len - lost.count_ones();
                if safe > most && self.tells(cell, set & !mines) {
                    most = safe;
                }
            }
        }
        // Two numbers win two layouts; where no cell shows two, one layout is won.
        if most <= 2 {
            return most;
        }
        let name = name(cells_of(set).map(|layout| self.layouts[layout]), undecided);
        let known = search.memo.get(&name).copied().unwrap_or(Known { value: most, exact: false });
        if known.exact {
            return known.value;
        }
        let known = Known { value: known.value.min(most), exact: false };
        self.states.push(State { layouts: set, undecided, len, name, known });
        0
    }

    /// The value of a state if it is above `floor`, else a bound that is not above.
    fn value(&mut self, search: &mut Search<'_>, state: State, floor: u32) -> Result<u32, Ended> {
        // Its siblings may have told more since its bound was found.
        let known = search.memo.get(&state.name).copied().unwrap_or(state.known);
        let bound = known.value.min(state.known.value);
        if known.exact || bound <= floor {
            return Ok(bound);
        }
        let known = self.product(search, state, bound, floor)?;
        search.memo.insert(state.name, known);
        Ok(known.value)
    }

    /// The product of the values of the independent groups.
    fn product(&mut self, search: &mut Search<'_>, state: State, bound: u32, floor: u32) -> Result<Known, Ended> {
        let set = state.layouts;
        let cells = || self.cells.iter().zip(&self.mines);
        let is_safe = |mines: u64| set & mines == 0;
        let open = cells().filter(|&(_, &mines)| is_safe(mines)).fold(self.open, |open, (cell, _)| open | 1 << cell);
        search.shape.group(state.undecided, open, |group| {
            let mut digits = [0; 6];
            cells().filter(|(cell, _)| group >> **cell & 1 == 1).for_each(|(_, &mines)| add(&mut digits, mines));
            digits.iter().all(|digit| set & digit == 0 || set & !digit == 0)
        });
        if search.shape.groups.len() < 2 {
            return self.best_guess(search, state, bound, floor, &mut 0);
        }
        let first_state = self.states.len();
        let layout = self.layouts[set.trailing_zeros() as usize];
        let mut product = 1;
        for group in 0..search.shape.groups.len() {
            // The ways to lay it, all else as in one of the layouts.
            let others = state.undecided & !search.shape.groups[group];
            let cells = self.cells.iter().zip(&self.mines).filter(|(cell, _)| others >> **cell & 1 == 1);
            let part =
                cells.fold(set, |set, (cell, mines)| set & if layout >> cell & 1 == 1 { *mines } else { !mines });
            let own = self.states.len();
            let won = self.open_safe(search, part);
            product *= self.states.get(own).map_or(won, |state| state.known.value);
        }
        for index in first_state..self.states.len() {
            if product <= floor {
                break;
            }
            let part = self.states[index];
            let others = product / part.known.value;
            product = others * self.value(search, part, floor / others)?;
        }
        self.states.truncate(first_state);
        Ok(Known { value: product.min(bound), exact: product > floor })
    }

    /// Tries the cells of a state, in the order, and but for those, that `lists` does. `best_cell` becomes the place of the best one.
    fn best_guess(
        &mut self,
        search: &mut Search<'_>,
        state: State,
        bound: u32,
        floor: u32,
        best_cell: &mut usize,
    ) -> Result<Known, Ended> {
        search.spend()?;
        let mut order = [(0, 0); MAX_CELLS];
        let mut candidates = 0;
        for (cell, mines) in self.mines.iter().enumerate() {
            let lost = (state.layouts & mines).count_ones();
            if lost > 0 && lost < state.len {
                order[candidates] = (lost as u8, cell as u8);
                candidates += 1;
            }
        }
        let order = &mut order[..candidates];
        order.sort_unstable();
        *best_cell = usize::from(order[0].1);

        let first_state = self.states.len();
        let (mut best, mut exact) = (floor, false);
        // What the cells that are no better than `floor` don't exceed; every state wins one layout.
        let mut not_above = 1;
        let (mut tried, mut tries) = ([0; MAX_CELLS], 0);
        let mut all_seen = true;
        for &(lost, cell) in &*order {
            let (safe, cell) = (state.len - u32::from(lost), usize::from(cell));
            if safe <= best || bound <= best {
                not_above = not_above.max(safe);
                all_seen = false;
                break;
            }
            let set = state.layouts & !self.mines[cell];
            if tried[..tries].iter().any(|mines| set & mines == 0) || !self.tells(cell, set) {
                continue;
            }
            tried[tries] = self.mines[cell];
            tries += 1;
            let numbers = self.first[cell] as usize..self.first[cell + 1] as usize;
            let won: u32 = numbers.map(|number| self.open_safe(search, set & self.numbers[number])).sum();
            let mut total = won + self.states[first_state..].iter().map(|state| state.known.value).sum::<u32>();
            if total > best {
                self.states[first_state..].sort_unstable_by(|a, b| {
                    let (a_share, b_share) = (a.known.value * b.len, b.known.value * a.len);
                    b_share.cmp(&a_share).then(a.len.cmp(&b.len))
                });
            }
            for index in first_state..self.states.len() {
                if total <= best {
                    break;
                }
                let part = self.states[index];
                let others = total - part.known.value;
                total = others + self.value(search, part, best.saturating_sub(others))?;
            }
            self.states.truncate(first_state);
            if total > best {
                (best, exact) = (total, true);
                *best_cell = cell;
            } else {
                not_above = not_above.max(total);
            }
        }
        Ok(if exact {
            Known { value: best, exact }
        } else if all_seen && tries == 0 {
            // No cell tells anything: whatever is opened, one layout is won.
            Known { value: 1, exact: true }
        } else {
            Known { value: not_above.min(bound), exact }
        })
    }
}

/// Adds a bit to each of 64 numbers, given by their binary digits.
fn add(digits: &mut [u64], mut carry: u64) {
    for digit in digits {
        (*digit, carry) = (*digit ^ carry, *digit & carry);
    }
}
