//! Sets of at most 64 layouts, each stored as a word. What a cell shows in each layout is computed
//! once.

use std::cmp::Ordering;

use super::{
    search::{Search, WinBound},
    shape::{MOST_CELLS, cells_of},
    tree::{Aim, Pending, Sets, State},
};

/// Maximum number of layouts of a table.
pub(super) const MOST: usize = 64;

/// A set of layouts of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    layouts: u64,
    /// The cells that are mines in some of the layouts but not in all.
    undecided: u64,
}

/// A table of a few layouts, and the search of their subsets.
#[derive(Clone, Debug, Default)]
pub(super) struct Table<N> {
    layouts: Vec<u64>,
    /// The cells that are safe in all layouts.
    open: u64,
    /// The cells that are mines in some layouts but not in all.
    cells: Vec<u8>,
    /// For each of `cells` the set of layouts in which it is a mine.
    mines: Vec<u64>,
    /// For each of `cells` the sets of layouts in which it shows the same number:
    /// `numbers[first[i]..first[i + 1]]`.
    numbers: Vec<u64>,
    first: Vec<u32>,
    /// The stack of states on the current path of the tree.
    states: Vec<State<Word, N>>,
}

impl<N: Copy + Default> Table<N> {
    /// Replaces the layouts by at most [`MOST`] others. Every cell that is safe in all of them
    /// counts as open.
    pub fn build(&mut self, search: &mut impl Search, layouts: &[u64]) {
        let Self {
            cells,
            mines,
            numbers,
            first,
            states,
            ..
        } = self;
        self.layouts.clear();
        self.layouts.extend_from_slice(layouts);
        cells.clear();
        mines.clear();
        numbers.clear();
        first.clear();
        states.clear();
        let (any, each) = layouts
            .iter()
            .fold((0, !0), |(any, each), layout| (any | layout, each & layout));
        let undecided = any & !each;
        self.open = search.shape().all & !any;
        let mut of_cell = [0u64; MOST_CELLS];
        for (i, layout) in layouts.iter().enumerate() {
            cells_of(layout & undecided).for_each(|cell| of_cell[cell] |= 1 << i);
        }
        let all = !0 >> (MOST - layouts.len());
        for cell in cells_of(undecided) {
            cells.push(cell as u8);
            mines.push(of_cell[cell]);
            first.push(numbers.len() as u32);
            // The number of mines around the cell in each layout, stored as one word per binary
            // digit.
            let mut digits = [0; 4];
            let mut most = 0;
            for near in cells_of(search.shape().around[cell] & undecided) {
                add(&mut digits, of_cell[near]);
                most += 1;
            }
            for number in 0..=most {
                let is = |at: usize, digit: u64| if number >> at & 1 == 1 { digit } else { !digit };
                let shown = digits
                    .iter()
                    .enumerate()
                    .fold(all & !of_cell[cell], |set, (at, &digit)| {
                        set & is(at, digit)
                    });
                if shown != 0 {
                    numbers.push(shown);
                }
            }
        }
        first.push(numbers.len() as u32);
    }

    /// Returns how many of all layouts optimal play wins, within the window `aim`.
    pub fn value_of_all<S: Search<Name = N>>(
        &mut self,
        search: &mut S,
        aim: Aim,
    ) -> Result<WinBound, S::Ended> {
        let state = self.all();
        self.product(search, &state, aim)
    }

    /// Returns the optimal cell of all layouts, and its value.
    pub fn best_of_all<S: Search<Name = N>>(
        &mut self,
        search: &mut S,
    ) -> Result<(usize, u32), S::Ended> {
        let state = self.all();
        let guess = self.best_guess(
            search,
            &state,
            Aim {
                bound: state.len,
                floor: 0,
            },
        )?;
        Ok((usize::from(self.cells[guess.cell]), guess.known.value))
    }

    fn all(&self) -> State<Word, N> {
        let (len, undecided) = (
            self.layouts.len(),
            self.cells.iter().fold(0, |set, &cell| set | 1 << cell),
        );
        let set = Word {
            layouts: !0 >> (MOST - len),
            undecided,
        };
        let known = WinBound {
            value: len as u32,
            exact: false,
        };
        State {
            set,
            len: len as u32,
            name: N::default(),
            known,
        }
    }

    /// Returns the cells that are safe in all layouts of a set.
    fn open_in(&self, set: u64) -> u64 {
        let safe = self
            .cells
            .iter()
            .zip(&self.mines)
            .filter(|&(_, &mines)| set & mines == 0);
        safe.fold(self.open, |open, (cell, _)| open | 1 << cell)
    }

    /// Returns whether a cell shows several numbers in a set of layouts in which it is safe.
    fn tells(&self, cell: usize, set: u64) -> bool {
        let shown = self.numbers[self.first[cell] as usize..]
            .iter()
            .find(|&shown| shown & set != 0);
        shown.is_some_and(|shown| set & !shown != 0)
    }

    /// Opens the cells that are safe in all layouts of a set, and continues recursively in the
    /// parts into which their numbers split it, until such cells give no more information. Returns
    /// the number of layouts that are won in any case, and pushes the states in which more may be
    /// won.
    fn open_safe<S: Search<Name = N>>(&mut self, search: &mut S, set: u64) -> u32 {
        if set & set.wrapping_sub(1) == 0 {
            return u32::from(set != 0);
        }
        search.work(self.cells.len());
        let safe = (0..self.cells.len())
            .find(|&cell| set & self.mines[cell] == 0 && self.tells(cell, set));
        if let Some(cell) = safe {
            let numbers = self.first[cell] as usize..self.first[cell + 1] as usize;
            return numbers
                .map(|number| self.open_safe(search, set & self.numbers[number]))
                .sum();
        }
        let len = set.count_ones();
        // Of two layouts that safe cells can't distinguish, one is won.
        if len == 2 {
            return 1;
        }
        let mut most = 1;
        let mut undecided = 0;
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
        // A cell that shows two numbers in two layouts wins both; if no cell shows two numbers, one
        // layout is won.
        if most <= 2 {
            return most;
        }
        let name = search.name(
            cells_of(set).map(|layout| self.layouts[layout]),
            undecided,
            || self.open_in(set),
        );
        let known = search.recall(name).unwrap_or(WinBound::at_most(most));
        if known.exact {
            return known.value;
        }
        let known = WinBound::at_most(known.value.min(most));
        self.states.push(State {
            set: Word {
                layouts: set,
                undecided,
            },
            len,
            name,
            known,
        });
        0
    }
}

impl<S: Search<Name: Default>> Sets<S> for Table<S::Name> {
    type Set = Word;

    fn states(&mut self) -> &mut Vec<State<Word, S::Name>> {
        &mut self.states
    }

    fn tie(_: &Word, _: &Word) -> Ordering {
        Ordering::Equal
    }

    fn risks(
        &self,
        _: &mut S,
        state: &State<Word, S::Name>,
        risks: &mut [(u32, u8); MOST_CELLS],
    ) -> usize {
        let mut cells = 0;
        for (cell, mines) in self.mines.iter().enumerate() {
            let lost = (state.set.layouts & mines).count_ones();
            if lost > 0 && lost < state.len {
                risks[cells] = (lost, cell as u8);
                cells += 1;
            }
        }
        cells
    }

    fn guess(
        &mut self,
        search: &mut S,
        state: &State<Word, S::Name>,
        (cell, tried): (usize, u64),
        floor: u32,
    ) -> Result<Option<u32>, S::Ended> {
        let set = state.set.layouts & !self.mines[cell];
        if cells_of(tried).any(|tried| set & self.mines[tried] == 0) || !self.tells(cell, set) {
            return Ok(None);
        }
        let first = self.states.len();
        let numbers = self.first[cell] as usize..self.first[cell + 1] as usize;
        let won: u32 = numbers
            .map(|number| self.open_safe(search, set & self.numbers[number]))
            .sum();
        let most = won
            + self.states[first..]
                .iter()
                .map(|state| state.known.value)
                .sum::<u32>();
        self.sum(search, Pending { first, most }, floor).map(Some)
    }

    fn product(
        &mut self,
        search: &mut S,
        state: &State<Word, S::Name>,
        aim: Aim,
    ) -> Result<WinBound, S::Ended> {
        let set = state.set.layouts;
        search
            .shape()
            .group(state.set.undecided, self.open_in(set), |group| {
                let mut digits = [0; 6];
                let cells = self
                    .cells
                    .iter()
                    .zip(&self.mines)
                    .filter(|(cell, _)| group >> **cell & 1 == 1);
                cells.for_each(|(_, &mines)| add(&mut digits, mines));
                digits
                    .iter()
                    .all(|digit| set & digit == 0 || set & !digit == 0)
            });
        if search.shape().groups.len() < 2 {
            return Ok(self.best_guess(search, state, aim)?.known);
        }
        let first = self.states.len();
        let layout = self.layouts[set.trailing_zeros() as usize];
        let mut most = 1;
        for group in 0..search.shape().groups.len() {
            // The layouts of this group, with all other cells as in one fixed layout.
            let others = state.set.undecided & !search.shape().groups[group];
            let cells = self
                .cells
                .iter()
                .zip(&self.mines)
                .filter(|(cell, _)| others >> **cell & 1 == 1);
            let part = cells.fold(set, |set, (cell, mines)| {
                set & if layout >> cell & 1 == 1 {
                    *mines
                } else {
                    !mines
                }
            });
            let own = self.states.len();
            let won = self.open_safe(search, part);
            most *= self.states.get(own).map_or(won, |state| state.known.value);
        }
        self.multiply(search, Pending { first, most }, aim)
    }
}

/// Adds a bit to each of 64 counters, which are stored as one word per binary digit.
fn add(digits: &mut [u64], mut carry: u64) {
    for digit in digits {
        (*digit, carry) = (*digit ^ carry, *digit & carry);
    }
}
