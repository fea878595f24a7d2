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

use super::{Board, CellSet, Minefield};

/// The number of bytes before the first mine.
const HEADER: usize = 4;

/// The error returned for bytes that are not a board file, or for a minefield that can't be written
/// as a board file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct MbfError(String);

/// Reads a board file. Error messages count mines from 1, and columns and rows from 0.
///
/// # Errors
/// Returns an error if the bytes are not a board in this format.
pub fn read(bytes: &[u8]) -> Result<Minefield, MbfError> {
    let Some((&[width, height, high, low], places)) = bytes.split_first_chunk::<HEADER>() else {
        return Err(MbfError(format!(
            "{} bytes are too few for a board file, which begins with {HEADER} of width, height and number of mines",
            bytes.len()
        )));
    };
    let mines = usize::from(u16::from_be_bytes([high, low]));
    let board = Board::new(width.into(), height.into(), mines);
    let board = board.map_err(|error| MbfError(error.to_string()))?;
    let expected = HEADER + 2 * mines;
    if bytes.len() != expected {
        let found = bytes.len();
        let length =
            format!("a board file with {mines} mines has {expected} bytes, this one has {found}");
        return Err(MbfError(length));
    }
    let mut laid = CellSet::new(board.cells());
    for (index, place) in places.chunks_exact(2).enumerate() {
        let (x, y, index) = (place[0], place[1], index + 1);
        let wrong = |what: &str| {
            let at = format!("mine {index} of the board file is at column {x}, row {y}");
            MbfError(format!("{at}, {what}"))
        };
        let off = || wrong(&format!("off a board of {width} x {height} cells"));
        let cell = board.cell(y.into(), x.into()).ok_or_else(off)?;
        if !laid.insert(cell) {
            return Err(wrong("where there is one already"));
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
    let (width, height) = (board.width(), board.height());
    let side = |length: usize| {
        let most = "a board file holds at most 255 columns and 255 rows; this board has";
        u8::try_from(length).map_err(|_| MbfError(format!("{most} {width} and {height}")))
    };
    let mut bytes = vec![side(width)?, side(height)?];
    let mines = u16::try_from(board.mines()).expect("255 x 255 cells are fewer than 65536");
    bytes.extend(mines.to_be_bytes());
    for cell in field.mine_cells() {
        let (row, col) = board.row_col(cell);
        bytes.extend([side(col)?, side(row)?]);
    }
    Ok(bytes)
}
