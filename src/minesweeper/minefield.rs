//! The minefield: the mines and the number of every cell. Players never see it.

use std::sync::Arc;

use rand::RngExt;

use super::{Board, Cell, Grid};
use mineflow_rng::Rng;

/// The value that is added to a cell's number if the cell itself is a mine.
const MINE: u8 = 16;

/// A layout of mines with the resulting numbers.
#[derive(Clone, Debug)]
pub struct Minefield {
    grid: Arc<Grid>,
    /// The number of mines around each cell, plus [`MINE`] if the cell itself is a mine. The last
    /// entry represents everything off the board.
    contents: Vec<u8>,
    mines: usize,
    /// Scratch memory of [`Minefield::lay`].
    order: Vec<u16>,
}

impl Minefield {
    /// Creates a field without mines.
    pub fn new(grid: Arc<Grid>) -> Self {
        let cells = grid.board().cells();
        Self {
            contents: vec![0; cells + 1],
            mines: 0,
            order: Vec::with_capacity(cells),
            grid,
        }
    }

    /// Creates a field with mines on exactly the given cells; a repeated cell counts once.
    pub fn from_mines(grid: Arc<Grid>, mines: impl IntoIterator<Item = Cell>) -> Self {
        let mut field = Self::new(grid);
        for cell in mines {
            if !field.is_mine(cell) {
                field.place(cell.index());
            }
        }
        field
    }

    /// Creates a field of the size of `board` with mines on exactly the given cells.
    pub fn on(board: Board, mines: impl IntoIterator<Item = Cell>) -> Self {
        Self::from_mines(Arc::new(Grid::new(board)), mines)
    }

    /// Replaces the mines with `mines` new ones, placed on the first cells of a random permutation
    /// of the board that are not in `keep_free`. Different first clicks with the same seed thus get
    /// almost the same board, which reduces the variance of paired comparisons.
    ///
    /// The first entry of `keep_free` is the clicked cell. If there are more mines than unprotected
    /// cells, the remaining mines go to the other cells of `keep_free` uniformly at random, and to
    /// the clicked cell last.
    pub fn lay(&mut self, mines: usize, keep_free: &[Cell], rng: &mut Rng) {
        let cells = self.grid.board().cells();
        debug_assert!(mines <= cells);
        self.contents.fill(0);
        self.mines = 0;
        self.order.clear();
        self.order.extend(0..cells as u16);
        let mut next = 0;
        while self.mines < mines && next < cells {
            let drawn = rng.random_range(next as u32..cells as u32) as usize;
            self.order.swap(next, drawn);
            let cell = self.order[next];
            if !keep_free.contains(&Cell(cell)) {
                self.place(cell as usize);
            }
            next += 1;
        }
        if self.mines < mines {
            let (clicked, others) = keep_free
                .split_first()
                .expect("without protected cells all mines are laid");
            self.order.clear();
            self.order.extend(others.iter().map(|cell| cell.0));
            for next in 0..others.len() {
                let drawn = rng.random_range(next as u32..others.len() as u32) as usize;
                self.order.swap(next, drawn);
            }
            self.order.push(clicked.0);
            for i in 0..mines - self.mines {
                self.place(self.order[i] as usize);
            }
        }
    }

    fn place(&mut self, cell: usize) {
        self.contents[cell] += MINE;
        for &d in self.grid.around(cell) {
            self.contents[d as usize] += 1;
        }
        // Off-board neighbours were counted in this slot; reset it.
        self.contents[self.grid.off_board()] = 0;
        self.mines += 1;
    }

    /// Returns the size and number of mines.
    pub fn board(&self) -> Board {
        let board = self.grid.board();
        Board::new(board.width(), board.height(), self.mines)
            .expect("a field has at most one mine a cell")
    }

    /// Returns the neighbour tables.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// Returns the number of mines.
    pub fn mines(&self) -> usize {
        self.mines
    }

    /// Returns whether `cell` is a mine.
    pub fn is_mine(&self, cell: Cell) -> bool {
        self.contents[cell.index()] >= MINE
    }

    /// Returns the number of mines next to `cell`, 0 to 8.
    pub fn number(&self, cell: Cell) -> u8 {
        self.contents[cell.index()] & (MINE - 1)
    }

    /// Returns the mines in row-major order.
    pub fn mine_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        self.grid
            .board()
            .all_cells()
            .filter(|&cell| self.is_mine(cell))
    }
}
