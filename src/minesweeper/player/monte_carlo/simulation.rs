//! A simulated game on a drawn layout: it opens cells, draws the conclusions of single numbers, and
//! estimates the mine probabilities of the remaining cells cheaply.

use crate::{Cell, Grid, View, solver::Mark};

#[derive(Clone, Copy)]
struct CellKnowledge {
    mark: Mark,
    /// The number of an open cell minus the known mines around it.
    need: i8,
    /// The number of unknown neighbours.
    unknown: u8,
}

impl CellKnowledge {
    fn is_decisive(self) -> bool {
        self.mark == Mark::Open
            && self.unknown != 0
            && (self.need == 0 || self.need == self.unknown as i8)
    }
}

/// The amount that is added to a cell's number if the cell itself is a mine.
const MINE: u8 = 16;

/// A simulated game: the knowledge of a player and, separately, the hidden layout.
#[derive(Clone)]
pub(super) struct Simulation<'a> {
    grid: &'a Grid,
    /// The knowledge about each cell, with an extra entry for everything off the board; `numbers`
    /// has the same length.
    cells: Vec<CellKnowledge>,
    /// The number of mines around each cell, plus [`MINE`] if the cell itself is a mine.
    numbers: Vec<u8>,
    unknown: usize,
    mines_left: usize,
    safe_left: usize,
    is_lost: bool,
    /// A hash of everything shown since [`Simulation::take_shown`] was last called.
    shown: u64,
    /// Open cells that may still have unknown neighbours.
    active: Vec<u16>,
    /// Scratch memory for cells to open; `decisive` holds open numbers that decide all their
    /// unknown neighbours.
    to_open: Vec<u16>,
    decisive: Vec<u16>,
    /// The odds of a mine that [`Simulation::estimate`] computed for each unknown boundary cell;
    /// NaN for all other cells.
    odds: Vec<f32>,
    /// The estimated odds of a mine for each unknown cell off the boundary.
    odds_elsewhere: f32,
}

impl<'a> Simulation<'a> {
    /// Creates a simulation that starts from `view` and `known_mines`, which must already contain
    /// all conclusions of single numbers.
    pub fn new(view: &'a View, known_mines: &[Cell]) -> Self {
        let grid: &Grid = view.grid();
        let cells = grid.board().cells();
        let off_board = CellKnowledge {
            mark: Mark::OffBoard,
            need: 0,
            unknown: 0,
        };
        let mut states = vec![off_board; cells + 1];
        for cell in grid.board().all_cells() {
            let state = &mut states[cell.index()];
            state.mark = Mark::Unknown;
            state.unknown = grid.neighbor_count(cell) as u8;
        }
        let mut simulation = Self {
            grid,
            cells: states,
            numbers: vec![0; cells + 1],
            unknown: cells,
            mines_left: view.mines(),
            safe_left: cells - view.mines(),
            is_lost: false,
            shown: 0,
            active: Vec::with_capacity(cells),
            to_open: Vec::with_capacity(cells),
            decisive: Vec::with_capacity(cells),
            odds: vec![f32::NAN; cells + 1],
            odds_elsewhere: f32::NAN,
        };
        for mine in known_mines {
            simulation.mark_mine(mine.0);
        }
        for &cell in view.opened() {
            let number = view.number(cell).expect("opened cells have a number");
            simulation.show(cell.0, number);
        }
        simulation.decisive.clear();
        simulation
    }

    /// Restores the knowledge of `root`.
    pub fn restart(&mut self, root: &Self) {
        self.cells.copy_from_slice(&root.cells);
        self.active.clone_from(&root.active);
        self.unknown = root.unknown;
        self.mines_left = root.mines_left;
        self.safe_left = root.safe_left;
        self.is_lost = false;
        self.shown = 0;
    }

    /// Replaces the hidden layout by one with mines on exactly these cells.
    pub fn lay(&mut self, mines: &[Cell]) {
        self.numbers.fill(0);
        for mine in mines {
            self.numbers[mine.index()] += MINE;
            for &d in self.grid.around(mine.index()) {
                self.numbers[d as usize] += 1;
            }
        }
    }

    /// Returns whether `cell` hides a mine. Only the referee may call this method.
    pub fn hides_mine(&self, cell: Cell) -> bool {
        self.numbers[cell.index()] >= MINE
    }

    pub fn is_over(&self) -> bool {
        self.is_lost || self.safe_left == 0
    }

    pub fn is_won(&self) -> bool {
        !self.is_lost && self.safe_left == 0
    }

    /// Returns the unknown cells, which are the candidates for the next guess.
    pub fn unknown_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.cells
            .iter()
            .enumerate()
            .filter(|(_, state)| state.mark == Mark::Unknown)
            .map(|(cell, _)| Cell(cell as u16))
    }

    /// Opens `cell` and all cells that single numbers or the number of mines then prove safe.
    pub fn open(&mut self, cell: Cell) {
        if self.hides_mine(cell) {
            self.is_lost = true;
            return;
        }
        self.to_open.push(cell.0);
        loop {
            if let Some(number) = self.decisive.pop() {
                self.conclude(number);
            } else if let Some(cell) = self.to_open.pop() {
                self.show(cell, self.numbers[cell as usize]);
            } else if self.mines_left == 0 && self.unknown > 0 {
                for cell in 0..self.grid.off_board() as u16 {
                    if self.cells[cell as usize].mark == Mark::Unknown {
                        self.mark_safe(cell);
                    }
                }
            } else {
                return;
            }
        }
    }

    /// Returns a hash of everything shown since the last call. Two different histories have the
    /// same hash with a probability of about 1 in 2^32.
    pub fn take_shown(&mut self) -> u32 {
        let shown = std::mem::take(&mut self.shown);
        (shown ^ shown >> 32) as u32
    }

    fn show(&mut self, cell: u16, number: u8) {
        let state = &mut self.cells[cell as usize];
        if state.mark == Mark::Open {
            return;
        }
        let leaves = u8::from(state.mark == Mark::Unknown);
        state.mark = Mark::Open;
        state.need += number as i8;
        self.unknown -= usize::from(leaves);
        self.safe_left -= 1;
        self.shown = (self.shown ^ u64::from(cell) << 4 ^ u64::from(number) ^ 1 << 40)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(23);
        if leaves > 0 {
            self.leave_unknown(cell, 0);
        }
        if self.cells[cell as usize].unknown > 0 {
            self.active.push(cell);
        }
        if self.cells[cell as usize].is_decisive() {
            self.decisive.push(cell);
        }
    }

    fn conclude(&mut self, number: u16) {
        let state = self.cells[number as usize];
        // Earlier conclusions may have settled this number already.
        if !state.is_decisive() {
            return;
        }
        for d in *self.grid.around(number as usize) {
            if self.cells[d as usize].mark == Mark::Unknown {
                if state.need == 0 {
                    self.mark_safe(d)
                } else {
                    self.mark_mine(d)
                }
            }
        }
    }

    fn mark_safe(&mut self, cell: u16) {
        self.cells[cell as usize].mark = Mark::Safe;
        self.unknown -= 1;
        self.to_open.push(cell);
        self.leave_unknown(cell, 0);
    }

    fn mark_mine(&mut self, cell: u16) {
        self.cells[cell as usize].mark = Mark::Mine;
        self.unknown -= 1;
        self.mines_left -= 1;
        self.leave_unknown(cell, 1);
    }

    /// Removes `cell` from the unknown neighbours of the cells around it and subtracts `mines` from
    /// the mines that their numbers still need.
    fn leave_unknown(&mut self, cell: u16, mines: i8) {
        for &d in self.grid.around(cell as usize) {
            let neighbor = &mut self.cells[d as usize];
            neighbor.unknown = neighbor.unknown.wrapping_sub(1);
            neighbor.need = neighbor.need.wrapping_sub(mines);
            if neighbor.is_decisive() {
                self.decisive.push(d);
            }
        }
    }

    /// Estimates the odds of a mine for every unknown cell by naive Bayes. The odds given by the
    /// numbers around a boundary cell are multiplied as if they were independent, and the prior
    /// odds, given by the density of mines, are counted once. All cells off the boundary share the
    /// expected number of mines that are not on the boundary.
    pub fn estimate(&mut self) {
        self.active
            .retain(|&cell| self.cells[cell as usize].unknown > 0);
        self.odds.fill(f32::NAN);
        let prior = self.mines_left as f32 / (self.unknown - self.mines_left) as f32;
        for &number in &self.active {
            let state = self.cells[number as usize];
            let says = f32::from(state.need) / f32::from(state.unknown as i8 - state.need);
            for &d in self.grid.around(number as usize) {
                if self.cells[d as usize].mark == Mark::Unknown {
                    let odds = &mut self.odds[d as usize];
                    *odds = if odds.is_nan() {
                        says
                    } else {
                        *odds * says / prior
                    };
                }
            }
        }
        let mut boundary = 0;
        let mut expected = 0.0;
        for &odds in self.odds.iter().filter(|odds| !odds.is_nan()) {
            boundary += 1;
            expected += odds / (1.0 + odds);
        }
        let elsewhere = (self.unknown - boundary) as f32;
        // The cells off the boundary keep at least a hundredth of a mine and a hundredth of a safe
        // cell.
        let mines = (self.mines_left as f32 - expected)
            .min(elsewhere - 0.01)
            .max(0.01);
        self.odds_elsewhere = mines / (elsewhere - mines);
    }

    /// Returns the sort key of an unknown cell after [`Simulation::estimate`]: the less likely mine
    /// comes first. Ties are broken as by player 7.0.
    pub fn rank(&self, cell: Cell) -> (f32, usize, usize) {
        let odds = self.odds[cell.index()];
        let neighbors = self.grid.neighbor_count(cell);
        if odds.is_nan() {
            (self.odds_elsewhere, 1, neighbors)
        } else {
            (odds, 0, neighbors)
        }
    }
}
