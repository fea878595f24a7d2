//! Board files (`.mbf`), which many Minesweeper programs read and write. They contain the size and
//! the mines, and nothing else.
//!
//! | bytes | meaning |
//! |---|---|
//! | 1 | width |
//! | 1 | height |
//! | 2 | number of mines, big-endian |
//! | 2 for each mine | x (column) and y (row), counted from 0 |
//!
//! ```
//! use mineflow_minesweeper::{Minefield, mbf};
//! let field: Minefield = "..*\n*..".parse().unwrap();
//! let bytes = mbf::write(&field).unwrap();
//! assert_eq!(bytes, [3, 2, 0, 2, 2, 0, 0, 1]);
//! assert_eq!(mbf::read(&bytes).unwrap().to_string(), field.to_string());
//! ```

use super::{Board, BoardError, CellSet, Minefield};

/// The number of bytes before the first mine.
const HEADER: usize = 4;

/// The error returned for bytes that are not a board file, or for a minefield that can't be written
/// as a board file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MbfError {
    #[error(
        "{0} bytes are too few for a board file, which begins with {HEADER} of width, height and number of mines"
    )]
    TooShort(usize),
    #[error("a board file with {mines} mines has {expected} bytes, this one has {found}")]
    Length {
        mines: usize,
        expected: usize,
        found: usize,
    },
    #[error(
        "mine {index} of the board file is at column {x}, row {y}, off a board of {width} x {height} cells"
    )]
    OffBoard {
        index: usize,
        x: u8,
        y: u8,
        width: usize,
        height: usize,
    },
    #[error("mine {index} of the board file is at column {x}, row {y}, where there is one already")]
    Twice { index: usize, x: u8, y: u8 },
    #[error(
        "a board file holds at most 255 columns and 255 rows; this board has {width} and {height}"
    )]
    TooLarge { width: usize, height: usize },
    #[error(transparent)]
    Board(#[from] BoardError),
}

/// Reads a board file. Error messages count mines from 1, and columns and rows from 0.
///
/// # Errors
/// Returns an error if the bytes are not a board in this format.
pub fn read(bytes: &[u8]) -> Result<Minefield, MbfError> {
    let Some((&[width, height, high, low], places)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(MbfError::TooShort(bytes.len()));
    };
    let mines = usize::from(u16::from_be_bytes([high, low]));
    let board = Board::new(width.into(), height.into(), mines)?;
    let expected = HEADER + 2 * mines;
    if bytes.len() != expected {
        return Err(MbfError::Length {
            mines,
            expected,
            found: bytes.len(),
        });
    }
    let mut laid = CellSet::new(board.cells());
    for (index, place) in places.chunks_exact(2).enumerate() {
        let index = index + 1;
        let x = place[0];
        let y = place[1];
        let cell = board.cell(y.into(), x.into()).ok_or(MbfError::OffBoard {
            index,
            x,
            y,
            width: board.width(),
            height: board.height(),
        })?;
        if !laid.insert(cell) {
            return Err(MbfError::Twice { index, x, y });
        }
    }
    Ok(Minefield::on(board, laid.iter()))
}

/// Writes a minefield as a board file, with its mines in row-major order.
///
/// # Errors
/// Returns an error if a side is longer than 255.
pub fn write(field: &Minefield) -> Result<Vec<u8>, MbfError> {
    let board = field.board();
    let side = |length: usize| {
        u8::try_from(length).map_err(|_| MbfError::TooLarge {
            width: board.width(),
            height: board.height(),
        })
    };
    let mut bytes = vec![side(board.width())?, side(board.height())?];
    let mines = u16::try_from(board.mines()).expect("255 x 255 cells are fewer than 65536");
    bytes.extend(mines.to_be_bytes());
    for cell in field.mine_cells() {
        let (row, col) = board.row_col(cell);
        bytes.extend([side(col)?, side(row)?]);
    }
    Ok(bytes)
}
