//! The layouts of the states on the way down the tree: their splits by the numbers that cells show.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::shape::{MOST_CELLS, Shape, cells_of};

/// What a cell shows in a layout: 0 to 8, or a mine.
const SHOWN: usize = 10;
const MINE: usize = SHOWN - 1;

/// Why a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Halt {
    /// It was asked to.
    Stopped,
    /// The layouts of the states on the way have no more room.
    Full,
}

/// A set of at least three layouts of which no covered cell is safe in all; the cells that are, are open.
#[derive(Clone, Copy)]
pub(super) struct State {
    /// Its layouts, in those of the stack.
    start: u32,
    pub(super) len: u32,
    /// Mines of any of its layouts: the other cells are open.
    pub(super) any: u64,
    /// Mines of each of them.
    each: u64,
    pub(super) name: u128,
    /// What its value doesn't exceed.
    pub(super) bound: u32,
    /// Whether the bound is the value.
    pub(super) exact: bool,
}

impl State {
    pub(super) fn layouts(&self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    /// Cells that are mines in some of its layouts, and not in others.
    pub(super) fn undecided(&self) -> u64 {
        self.any & !self.each
    }
}

/// The layouts of a set by what a cell shows in them: how many, mines of any, mines of each.
pub(super) struct Split {
    len: [u32; SHOWN],
    any: [u64; SHOWN],
    each: [u64; SHOWN],
}

impl Split {
    /// How many layouts are left, those where the cell is a mine being lost.
    pub(super) fn safe(&self) -> u32 {
        self.len[..MINE].iter().sum()
    }

    /// How many different numbers the cell shows.
    pub(super) fn numbers(&self) -> usize {
        self.len[..MINE].iter().filter(|&&len| len > 0).count()
    }

    /// The parts of the layouts that are left, one behind the other from `start`.
    fn parts(&self, start: usize) -> Parts {
        let mut end = start;
        std::array::from_fn(|number| {
            let start = end;
            end += self.len[number] as usize;
            Part { layouts: start..end, any: self.any[number], each: self.each[number] }
        })
    }

    /// Cells that are a mine in any layout where this one is safe.
    pub(super) fn mines(&self) -> u64 {
        self.any[..MINE].iter().fold(0, |set, any| set | any)
    }
}

/// Layouts in which a cell shows the same number.
#[derive(Clone)]
pub(super) struct Part {
    layouts: Range<usize>,
    any: u64,
    each: u64,
}

impl Part {
    pub(super) fn len(&self) -> usize {
        self.layouts.len()
    }
}

/// The parts of a split by number.
pub(super) type Parts = [Part; MINE];

/// A stack of layouts: those that a guess leaves are copied behind those of its state, in parts. Its states are one as well.
pub(super) struct Stack<'a> {
    shape: &'a Shape,
    stop: &'a AtomicBool,
    room: usize,
    pub(super) layouts: Vec<u64>,
    /// What the cell of the last split shows in each layout.
    shown: Vec<u8>,
    /// Scratch of [`Stack::arrange`].
    dealt: Vec<u64>,
    pub(super) states: Vec<State>,
}

impl<'a> Stack<'a> {
    /// A stack of at most `room` layouts.
    pub(super) fn new(shape: &'a Shape, stop: &'a AtomicBool, room: usize) -> Self {
        Self { shape, stop, room, layouts: Vec::new(), shown: Vec::new(), dealt: Vec::new(), states: Vec::new() }
    }

    /// Checks whether to stop, and whether these additional layouts have room.
    pub(super) fn look(&self, more: usize) -> Result<(), Halt> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Halt::Stopped);
        }
        if self.room - self.layouts.len() < more { Err(Halt::Full) } else { Ok(()) }
    }

    /// In how many layouts of a state each undecided cell is a mine.
    pub(super) fn mines(&self, state: &State) -> [u32; MOST_CELLS] {
        let mut mines = [0; MOST_CELLS];
        for layout in &self.layouts[state.layouts()] {
            cells_of(layout & state.undecided()).for_each(|cell| mines[cell] += 1);
        }
        mines
    }

    /// Splits layouts by what `cell` shows; for [`Stack::copy_parts`] and [`Stack::arrange`].
    pub(super) fn split(&mut self, layouts: Range<usize>, cell: usize) -> Split {
        let around = self.shape.around(cell);
        let mut split = Split { len: [0; SHOWN], any: [0; SHOWN], each: [!0; SHOWN] };
        self.shown.clear();
        self.shown.extend(self.layouts[layouts].iter().map(|&layout| {
            let shown = if layout >> cell & 1 == 0 { (layout & around).count_ones() as usize } else { MINE };
            split.len[shown] += 1;
            split.any[shown] |= layout;
            split.each[shown] &= layout;
            shown as u8
        }));
        split
    }

    /// Copies the layouts of the last split that are not lost behind all others, by number.
    pub(super) fn copy_parts(&mut self, layouts: Range<usize>, split: &Split) -> Result<Parts, Halt> {
        let (first, more) = (self.layouts.len(), split.safe() as usize);
        self.look(more)?;
        if self.layouts.capacity() < first + more {
            let wanted = (first + more).saturating_mul(3) / 2;
            self.layouts.reserve_exact(wanted.min(self.room) - first);
        }
        self.layouts.resize(first + more, 0);
        let (before, copies) = self.layouts.split_at_mut(first);
        let parts = split.parts(first);
        deal(&before[layouts], &self.shown, &parts, copies);
        Ok(parts)
    }

    /// Puts the layouts of the last split, of which none is lost, in the order of their numbers where they are.
    pub(super) fn arrange(&mut self, layouts: Range<usize>, split: &Split) -> Parts {
        self.dealt.clear();
        self.dealt.extend_from_slice(&self.layouts[layouts.clone()]);
        let parts = split.parts(layouts.start);
        deal(&self.dealt, &self.shown, &parts, &mut self.layouts[layouts]);
        parts
    }

    /// Opens the cells that are safe in all layouts of a part, and goes on in the parts of these, until no such cell is left. Gives
    /// how many layouts are won whatever is done next, and pushes the states of which more may be. The numbers of the cells
    /// in `used` tell nothing more.
    pub(super) fn open_safe(&mut self, part: Part, mut used: u64) -> Result<u32, Halt> {
        let Part { layouts, any, each } = part;
        if layouts.len() > 1 {
            for cell in cells_of(self.shape.all & !any & !used) {
                used |= 1 << cell;
                if self.shape.around(cell) & any & !each == 0 {
                    continue;
                }
                let split = self.split(layouts.clone(), cell);
                if split.numbers() > 1 {
                    self.look(0)?;
                    let parts = self.arrange(layouts, &split);
                    let filled = parts.into_iter().filter(|part| part.len() > 0);
                    return filled.map(|part| self.open_safe(part, used)).sum();
                }
            }
        }
        // Of two layouts, one is won.
        if layouts.len() <= 2 {
            return Ok(1);
        }
        let (start, len) = (layouts.start as u32, layouts.len() as u32);
        self.states.push(State { start, len, any, each, name: 0, bound: len, exact: false });
        Ok(0)
    }
}

/// Puts layouts of which a cell shows `shown` into their parts, the first of which begins with `to`.
fn deal(layouts: &[u64], shown: &[u8], parts: &Parts, to: &mut [u64]) {
    let mut places = parts.each_ref().map(|part| part.layouts.start - parts[0].layouts.start);
    for (&layout, &shown) in layouts.iter().zip(shown) {
        if let Some(place) = places.get_mut(usize::from(shown)) {
            to[*place] = layout;
            *place += 1;
        }
    }
}
