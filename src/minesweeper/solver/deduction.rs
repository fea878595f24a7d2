//! Deduction from one open number at a time, updated incrementally from move to move.
//!
//! This is the fixed point of DSS (Sinha et al. 2021, algorithms 1 and 2) without its matrix. Every
//! cell keeps the number of its undetermined neighbours and how many of them must be mines, and
//! only cells affected by a change are checked again. [`super::Dss`] is the form of Sinha et al.;
//! tests compare the two.

use std::sync::Arc;

use super::Contradiction;
use crate::{Board, Cell, Grid, View};
use mineflow_rng::mix;

/// The state of knowledge about a cell.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Mark {
    Unknown,
    Safe,
    Mine,
    Open,
    OffBoard,
}

#[derive(Clone, Copy, Debug)]
struct CellState {
    mark: Mark,
    /// The number of an open cell minus the known mines around it.
    need: i8,
    /// Number of neighbours marked [`Mark::Unknown`].
    unknown: u8,
    /// Bit `k`: the neighbour in direction `k` is open.
    witnesses: u8,
}

impl CellState {
    /// Returns whether this is an open number that determines its unknown neighbours or contradicts
    /// them.
    ///
    /// This takes a reference, because a copy would be read in one piece, and such a load must wait
    /// for the bytes just written.
    fn is_decisive(&self) -> bool {
        self.mark == Mark::Open
            && (self.need <= 0 || self.need >= self.unknown as i8)
            && (self.unknown != 0 || self.need != 0)
    }
}

/// The value used for a known mine, instead of a number, in the hash of a position.
const MINE: u8 = 15;

/// Returns the random number that stands for `cell` showing `number` in the hash.
fn shown(cell: usize, number: u8) -> u64 {
    mix((cell as u64) << 4 | u64::from(number))
}

/// Single-number deduction over one game.
#[derive(Clone, Debug)]
pub(super) struct SingleNumbers {
    pub grid: Arc<Grid>,
    /// The state of every cell before the first move. The last entry of `fresh` and of `cells` is a
    /// sentinel for cells off the board.
    fresh: Vec<CellState>,
    cells: Vec<CellState>,
    /// Number of the view's opened cells that were read.
    cursor: usize,
    /// Open numbers that became decisive and are not processed yet.
    queue: Vec<u16>,
    /// The open numbers, oldest first: those with unknown neighbours, and those that lost them
    /// since [`SingleNumbers::sift_active`].
    pub active: Vec<u16>,
    /// Cells proved safe since [`SingleNumbers::begin`]; an update removes those opened meanwhile.
    pub safe: Vec<Cell>,
    /// Number of unknown cells.
    pub unknown: usize,
    /// Number of mines that are not identified yet.
    pub mines_left: usize,
    /// A Zobrist hash: the exclusive or of one random number for each number shown and each mine
    /// known. Two positions of one board collide with a probability of 2^-64.
    pub position: u64,
    /// Whether the opened numbers contradict each other; every later update then fails too.
    contradicted: bool,
}

impl Default for SingleNumbers {
    /// Creates the state of a board of one cell.
    fn default() -> Self {
        let board = Board::new(1, 1, 0).expect("one cell is a board");
        Self::new(Arc::new(Grid::new(board)))
    }
}

impl SingleNumbers {
    pub fn new(grid: Arc<Grid>) -> Self {
        let cell = |mark, unknown| CellState {
            mark,
            need: 0,
            unknown,
            witnesses: 0,
        };
        let board = grid.board();
        let mut fresh: Vec<_> = board
            .all_cells()
            .map(|c| cell(Mark::Unknown, grid.neighbor_count(c) as u8))
            .collect();
        fresh.push(cell(Mark::OffBoard, 0));
        Self {
            cells: fresh.clone(),
            fresh,
            grid,
            cursor: 0,
            queue: Vec::new(),
            active: Vec::new(),
            safe: Vec::new(),
            unknown: board.cells(),
            mines_left: 0,
            position: 0,
            contradicted: false,
        }
    }

    /// Resets to a new game with `mines` mines.
    pub fn begin(&mut self, mines: usize) {
        self.cells.copy_from_slice(&self.fresh);
        self.cursor = 0;
        self.queue.clear();
        self.active.clear();
        self.safe.clear();
        self.unknown = self.grid.off_board();
        self.mines_left = mines;
        self.position = mix(!(mines as u64));
        self.contradicted = false;
    }

    /// Copies the state of `other`.
    pub fn follow(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.grid, &other.grid) {
            *self = other.clone();
            return;
        }
        self.cells.copy_from_slice(&other.cells);
        self.active.clone_from(&other.active);
        self.safe.clone_from(&other.safe);
        self.queue.clear();
        self.cursor = other.cursor;
        self.unknown = other.unknown;
        self.mines_left = other.mines_left;
        self.position = other.position;
        self.contradicted = other.contradicted;
    }

    /// Records that `cell` is safe and open, without drawing conclusions.
    pub fn open_unread(&mut self, cell: Cell) -> Result<(), Contradiction> {
        self.open(cell.index(), 0)
    }

    /// Opens `cell` with the hypothetical number `number`, and draws all conclusions.
    pub fn suppose(&mut self, cell: Cell, number: u8) -> Result<(), Contradiction> {
        self.open(cell.index(), number)?;
        self.propagate()
    }

    /// Opens all cells proved safe, and those that this proves safe in turn; `number` returns the
    /// number that a cell shows.
    pub fn open_safe(&mut self, mut number: impl FnMut(Cell) -> u8) -> Result<(), Contradiction> {
        while let Some(cell) = self.safe.pop() {
            self.open_proved(cell.index(), number(cell));
            self.propagate()?;
        }
        Ok(())
    }

    /// Opens a cell that is proved safe. The unknown cells around its neighbours don't change,
    /// because they no longer included it.
    fn open_proved(&mut self, cell: usize, number: u8) {
        self.position ^= shown(cell, number);
        let state = &mut self.cells[cell];
        state.mark = Mark::Open;
        state.need += number as i8;
        if state.is_decisive() {
            self.queue.push(cell as u16);
        }
        for (k, &d) in self.grid.around(cell).iter().enumerate() {
            self.cells[d as usize].witnesses |= 0x80 >> k;
        }
        if number > 0 {
            self.active.push(cell as u16);
        }
    }

    /// Reads what `view` has opened since the last update and draws all conclusions. Returns false
    /// if nothing was new.
    pub fn update(&mut self, view: &View) -> Result<bool, Contradiction> {
        if self.contradicted {
            return Err(Contradiction);
        }
        if self.cursor == view.opened().len() {
            return Ok(false);
        }
        let read = self.read(view);
        self.contradicted = read.is_err();
        read.map(|()| true)
    }

    fn read(&mut self, view: &View) -> Result<(), Contradiction> {
        for &cell in &view.opened()[self.cursor..] {
            self.open(
                cell.index(),
                view.number(cell).expect("opened cells have a number"),
            )?;
        }
        self.cursor = view.opened().len();
        self.propagate()?;
        let cells = &self.cells;
        self.safe
            .retain(|cell| cells[cell.index()].mark == Mark::Safe);
        Ok(())
    }

    fn open(&mut self, cell: usize, number: u8) -> Result<(), Contradiction> {
        let before = self.cells[cell].mark;
        if before == Mark::Mine {
            return Err(Contradiction);
        }
        let leaves = u8::from(before == Mark::Unknown);
        self.position ^= shown(cell, number);
        self.unknown -= leaves as usize;
        let state = &mut self.cells[cell];
        state.mark = Mark::Open;
        state.need += number as i8;
        let around = *self.grid.around(cell);
        for (k, &d) in around.iter().enumerate() {
            let neighbor = &mut self.cells[d as usize];
            neighbor.witnesses |= 0x80 >> k;
            neighbor.unknown = neighbor.unknown.wrapping_sub(leaves);
            if neighbor.is_decisive() {
                self.queue.push(d);
            }
        }
        if number > 0 {
            self.active.push(cell as u16);
        }
        if self.cells[cell].is_decisive() {
            self.queue.push(cell as u16);
        }
        Ok(())
    }

    fn propagate(&mut self) -> Result<(), Contradiction> {
        while let Some(cell) = self.queue.pop() {
            let CellState { need, unknown, .. } = self.cells[cell as usize];
            if need < 0 || need > unknown as i8 {
                return Err(Contradiction);
            }
            if unknown == 0 || (need != 0 && need != unknown as i8) {
                continue;
            }
            let around = *self.grid.around(cell as usize);
            for d in around {
                if self.cells[d as usize].mark == Mark::Unknown {
                    if need == 0 {
                        self.mark_safe(d)
                    } else {
                        self.mark_mine(d)?
                    }
                }
            }
        }
        Ok(())
    }

    fn mark_safe(&mut self, cell: u16) {
        self.cells[cell as usize].mark = Mark::Safe;
        self.safe.push(Cell(cell));
        self.leave_unknown(cell, 0);
    }

    fn mark_mine(&mut self, cell: u16) -> Result<(), Contradiction> {
        self.cells[cell as usize].mark = Mark::Mine;
        self.mines_left = self.mines_left.checked_sub(1).ok_or(Contradiction)?;
        self.position ^= shown(usize::from(cell), MINE);
        self.leave_unknown(cell, 1);
        Ok(())
    }

    /// Removes `cell` from its neighbours' unknown cells and subtracts `mines` from the mines that
    /// they still need.
    fn leave_unknown(&mut self, cell: u16, mines: i8) {
        self.unknown -= 1;
        for &d in self.grid.around(cell as usize) {
            let neighbor = &mut self.cells[d as usize];
            neighbor.unknown = neighbor.unknown.wrapping_sub(1);
            neighbor.need = neighbor.need.wrapping_sub(mines);
            if neighbor.is_decisive() {
                self.queue.push(d);
            }
        }
    }

    /// Records cells that were proved by other means, and draws the conclusions.
    pub fn learn(&mut self, safe: &[Cell], mines: &[Cell]) -> Result<(), Contradiction> {
        for &cell in safe {
            match self.mark(cell.index()) {
                Mark::Unknown => self.mark_safe(cell.0),
                Mark::Mine => return Err(Contradiction),
                _ => {}
            }
        }
        for &cell in mines {
            match self.mark(cell.index()) {
                Mark::Unknown => self.mark_mine(cell.0)?,
                Mark::Mine => {}
                _ => return Err(Contradiction),
            }
        }
        self.propagate()
    }

    /// Removes open numbers without unknown neighbours from [`SingleNumbers::active`].
    pub fn sift_active(&mut self) {
        let cells = &self.cells;
        self.active.retain(|&cell| cells[cell as usize].unknown > 0);
    }

    pub fn mark(&self, slot: usize) -> Mark {
        self.cells[slot].mark
    }

    /// Returns the number of mines among the unknown neighbours of an open cell.
    pub fn need(&self, cell: usize) -> u8 {
        self.cells[cell].need as u8
    }

    /// Returns the number of unknown neighbours of a cell.
    pub fn unknown_around(&self, cell: usize) -> u8 {
        self.cells[cell].unknown
    }

    /// Returns a bit set, in which bit `k` is set if the neighbour in direction `k` is open.
    pub fn witnesses(&self, cell: usize) -> u8 {
        self.cells[cell].witnesses
    }

    /// Returns the cells with this mark, in row-major order.
    pub fn marked(&self, mark: Mark) -> impl Iterator<Item = Cell> {
        self.grid
            .board()
            .all_cells()
            .filter(move |cell| self.mark(cell.index()) == mark)
    }

    /// Returns the unknown cells next to no number, in row-major order.
    pub fn unknown_rest(&self) -> impl Iterator<Item = Cell> {
        self.marked(Mark::Unknown)
            .filter(|cell| self.witnesses(cell.index()) == 0)
    }
}
