//! The size of a board, its number of mines, and the names of its cells.

use std::{fmt, str::FromStr};

/// The maximum number of cells of a board.
pub const MAX_CELLS: usize = 65_535;

/// A cell, identified by its row-major index `row * width + col`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell(pub u16);

impl Cell {
    /// Returns the index as a `usize`, for slices with one entry per cell.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The width, height and number of mines of a board. Its text form is `9x9/10`; the names
/// `beginner`, `intermediate` and `expert` can be parsed too.
///
/// ```
/// use mineflow_minesweeper::Board;
/// let expert: Board = "expert".parse().unwrap();
/// assert_eq!(expert, "30x16/99".parse().unwrap());
/// assert_eq!(expert.to_string(), "30x16/99");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Board {
    width: u16,
    height: u16,
    mines: u16,
}

/// The error returned for a board with an invalid size, number of mines or text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BoardError {
    #[error("a board of {width} x {height} cells is empty")]
    Empty { width: usize, height: usize },
    #[error("a board of {width} x {height} cells has more than {MAX_CELLS} cells")]
    TooLarge { width: usize, height: usize },
    #[error("{mines} mines don't fit on a board of {cells} cells")]
    TooManyMines { mines: usize, cells: usize },
    #[error("{0} has no safe cell, thus there is no game")]
    NoSafeCell(Board),
    #[error(
        "`{0}` is not a board; write WIDTHxHEIGHT/MINES such as 9x9/10, or beginner, intermediate, expert"
    )]
    Syntax(String),
}

impl Board {
    /// Creates a board of `width` columns and `height` rows with `mines` mines, at most one per
    /// cell.
    ///
    /// # Errors
    /// Returns an error if a side is 0, there are more than [`MAX_CELLS`] cells, or there are more
    /// mines than cells.
    pub const fn new(width: usize, height: usize, mines: usize) -> Result<Self, BoardError> {
        if width == 0 || height == 0 {
            return Err(BoardError::Empty { width, height });
        }
        if width > MAX_CELLS || height > MAX_CELLS || width * height > MAX_CELLS {
            return Err(BoardError::TooLarge { width, height });
        }
        if mines > width * height {
            return Err(BoardError::TooManyMines {
                mines,
                cells: width * height,
            });
        }
        Ok(Self {
            width: width as u16,
            height: height as u16,
            mines: mines as u16,
        })
    }

    /// Returns the board if a game can be played on it.
    ///
    /// # Errors
    /// Returns an error if every cell is a mine.
    pub const fn playable(self) -> Result<Self, BoardError> {
        if self.mines() < self.cells() {
            Ok(self)
        } else {
            Err(BoardError::NoSafeCell(self))
        }
    }

    /// Returns the number of columns.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Returns the number of rows.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Returns the number of mines.
    pub const fn mines(self) -> usize {
        self.mines as usize
    }

    /// Returns the number of cells.
    pub const fn cells(self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Returns the number of mines per cell, 0 to 1.
    pub fn mine_ratio(self) -> f64 {
        self.mines() as f64 / self.cells() as f64
    }

    /// Returns the cell at `row` and `col`, both counted from 0, or `None` if it is off the board.
    pub const fn cell(self, row: usize, col: usize) -> Option<Cell> {
        if row < self.height as usize && col < self.width as usize {
            Some(Cell((row * self.width as usize + col) as u16))
        } else {
            None
        }
    }

    /// Returns the row and column of a cell, both counted from 0.
    pub const fn row_col(self, cell: Cell) -> (usize, usize) {
        (
            cell.index() / self.width as usize,
            cell.index() % self.width as usize,
        )
    }

    /// Returns the Manhattan distance of a cell to the nearest edge: `min(i, j, p - 1 - i, q - 1 -
    /// j)` for row `i` and column `j` of a board with `p` rows and `q` columns. It is 0 at an edge.
    pub fn edge_distance(self, cell: Cell) -> usize {
        let (row, col) = self.row_col(cell);
        row.min(col)
            .min(self.height() - 1 - row)
            .min(self.width() - 1 - col)
    }

    /// Returns all cells in row-major order.
    pub fn all_cells(self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator {
        (0..self.cells() as u16).map(Cell)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}/{}", self.width, self.height, self.mines)
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        match text {
            "beginner" => return Self::new(9, 9, 10),
            "intermediate" => return Self::new(16, 16, 40),
            "expert" => return Self::new(30, 16, 99),
            _ => {}
        }
        let syntax = || BoardError::Syntax(text.to_owned());
        let (size, mines) = text.split_once('/').ok_or_else(syntax)?;
        let (width, height) = size.split_once('x').ok_or_else(syntax)?;
        let number = |digits: &str| {
            digits
                .parse::<u32>()
                .map(|n| n as usize)
                .map_err(|_| syntax())
        };
        Self::new(number(width)?, number(height)?, number(mines)?)
    }
}
