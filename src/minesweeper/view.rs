//! The player's view of a game: the open numbers, the flags and the number of mines.

use std::sync::Arc;

use super::{Board, Cell, Grid, MoveError};

const COVERED: u8 = 9;
const FLAGGED: u8 = 10;
const OFF_BOARD: u8 = 11;

/// One cell as a player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CellView {
    /// A covered cell without a flag.
    Covered,
    /// A covered cell that the player has flagged. A flag is only a note and proves nothing.
    Flagged,
    /// An open cell with its number of neighbouring mines, 0 to 8.
    Open(u8),
}

/// The player's side of a game: open numbers, flags, and the order in which cells were opened.
#[derive(Clone, Debug)]
pub struct View {
    grid: Arc<Grid>,
    mines: usize,
    /// The state of each cell: 0 to 8, [`COVERED`] or [`FLAGGED`]. The last entry is [`OFF_BOARD`].
    cells: Vec<u8>,
    /// All open cells in the order of opening. During a game the list only grows, so that a solver
    /// can update incrementally.
    opened: Vec<Cell>,
}

impl View {
    /// Creates a view with every cell covered. `grid` gives the size and `mines` gives the number
    /// of mines. Panics if there are more mines than cells.
    pub fn new(grid: Arc<Grid>, mines: usize) -> Self {
        let cells = grid.board().cells();
        assert!(mines <= cells, "{mines} mines don't fit on {cells} cells");
        let mut view = Self {
            grid,
            mines,
            cells: vec![0; cells + 1],
            opened: Vec::with_capacity(cells),
        };
        view.clear();
        view
    }

    /// Covers every cell again.
    pub(super) fn clear(&mut self) {
        self.cells.fill(COVERED);
        self.cells[self.grid.off_board()] = OFF_BOARD;
        self.opened.clear();
    }

    /// Opens `cell`, which then shows `number`. The consistency of the numbers is not checked here
    /// but by solvers.
    ///
    /// # Errors
    /// Returns an error if the cell is off the board, already open, or can't have this number.
    pub fn open(&mut self, cell: Cell, number: u8) -> Result<(), MoveError> {
        if number > 8 {
            return Err(MoveError::NotANumber(number));
        }
        MoveError::check(self, cell)?;
        self.reveal(cell.index(), number);
        Ok(())
    }

    pub(super) fn reveal(&mut self, cell: usize, number: u8) {
        self.cells[cell] = number;
        self.opened.push(Cell(cell as u16));
    }

    /// Sets or removes a flag on a covered cell.
    ///
    /// # Errors
    /// Returns an error if the cell is off the board or open.
    pub fn set_flag(&mut self, cell: Cell, flagged: bool) -> Result<(), MoveError> {
        MoveError::check(self, cell)?;
        self.cells[cell.index()] = if flagged { FLAGGED } else { COVERED };
        Ok(())
    }

    /// Returns the size and number of mines.
    pub fn board(&self) -> Board {
        let board = self.grid.board();
        Board::new(board.width(), board.height(), self.mines)
            .expect("the mines were checked when the view was made")
    }

    /// Returns the neighbour tables.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// Returns the number of mines on the board.
    pub fn mines(&self) -> usize {
        self.mines
    }

    /// Returns the state of `cell` as the player sees it.
    pub fn at(&self, cell: Cell) -> CellView {
        match self.cells[cell.index()] {
            COVERED => CellView::Covered,
            FLAGGED => CellView::Flagged,
            number => CellView::Open(number),
        }
    }

    /// Returns the number of an open `cell`, or `None` if the cell is covered.
    pub fn number(&self, cell: Cell) -> Option<u8> {
        let seen = self.cells[cell.index()];
        (seen < COVERED).then_some(seen)
    }

    /// Returns whether `cell` is open.
    pub fn is_open(&self, cell: Cell) -> bool {
        self.cells[cell.index()] < COVERED
    }

    /// Returns whether the slot is a covered cell, with or without a flag. The slot off the board
    /// is not one.
    pub(super) fn is_covered_slot(&self, slot: usize) -> bool {
        matches!(self.cells[slot], COVERED | FLAGGED)
    }

    /// Writes the view to `out`, one entry per cell, row-major: the number of an open cell, and -1
    /// for a covered cell with or without a flag.
    ///
    /// # Panics
    /// Panics if the length of `out` is not the number of cells.
    pub fn write_numbers(&self, out: &mut [i8]) {
        let cells = &self.cells[..self.grid.off_board()];
        assert_eq!(out.len(), cells.len(), "a number a cell");
        out.iter_mut()
            .zip(cells)
            .for_each(|(out, &seen)| *out = if seen < COVERED { seen as i8 } else { -1 });
    }

    /// Returns all open cells in the order of opening.
    pub fn opened(&self) -> &[Cell] {
        &self.opened
    }

    /// Returns the number of covered cells.
    pub fn covered_count(&self) -> usize {
        self.grid.board().cells() - self.opened.len()
    }

    /// Returns true if the number of covered cells equals the number of mines. If the numbers are
    /// consistent, the game is then won.
    pub fn is_won(&self) -> bool {
        self.covered_count() == self.mines
    }

    /// Returns the covered cells in row-major order.
    pub fn covered(&self) -> impl Iterator<Item = Cell> + '_ {
        self.grid
            .board()
            .all_cells()
            .filter(|&cell| !self.is_open(cell))
    }

    /// Returns the boundary (Sinha et al. 2021, section 4.2.2): the covered cells next to an open
    /// cell, in row-major order.
    pub fn boundary(&self) -> impl Iterator<Item = Cell> + '_ {
        self.covered()
            .filter(|&cell| self.grid.neighbors(cell).any(|d| self.is_open(d)))
    }
}
