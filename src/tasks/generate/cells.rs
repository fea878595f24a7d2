//! Positions packed into half a byte per cell, including the true mines.
//!
//! Cells are in row-major order, the first of each pair in the low half of its byte. If the last
//! half byte is unused, it is 15.
//!
//! | code | cell |
//! |---|---|
//! | 0 to 8 | open, with this number |
//! | 9 | covered, and safe |
//! | 10 | covered, and a mine |
//! | 11 | covered, a mine, and the player knew it |

use std::sync::Arc;

use mineflow_minesweeper::{Cell, Grid, View, features::Position};

const SAFE: u8 = 9;
const MINE: u8 = 10;
const KNOWN_MINE: u8 = 11;
const NO_CELL: u8 = 15;

/// Appends a position to `packed`.
pub(super) fn pack(position: &Position<'_>, is_mine: impl Fn(Cell) -> bool, packed: &mut Vec<u8>) {
    let board = position.view.grid().board();
    let code = |cell: Cell| match position.view.number(cell) {
        Some(number) => number,
        None if !is_mine(cell) => SAFE,
        None if position.mine[cell.index()].is_nan() => KNOWN_MINE,
        None => MINE,
    };
    let mut halves = board.all_cells().map(code);
    while let Some(low) = halves.next() {
        packed.push(low | halves.next().unwrap_or(NO_CELL) << 4);
    }
}

/// Returns the share of a packed position's cells that are covered and not known to be mines.
pub(crate) fn unknown_share(packed: &[u8], cells: usize) -> f64 {
    let codes = packed.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    codes.filter(|code| [SAFE, MINE].contains(code)).count() as f64 / cells as f64
}

/// Returns the length in bytes of a packed position of this many cells.
const fn packed_len(cells: usize) -> usize {
    cells.div_ceil(2)
}

/// An unpacked position: what the player saw, what it knew, and the mines.
pub(super) struct Unpacked {
    pub view: View,
    pub known_mines: Vec<Cell>,
    /// One entry per cell, row-major.
    pub is_mine: Vec<bool>,
}

/// Unpacks a position. An error describes what is wrong with the packed position.
pub(super) fn unpack(grid: &Arc<Grid>, mines: usize, packed: &[u8]) -> Result<Unpacked, String> {
    let board = grid.board();
    if packed.len() != packed_len(board.cells()) {
        let have = packed.len();
        let want = packed_len(board.cells());
        return Err(format!(
            "it has {have} bytes, and a board of {} cells has {want}",
            board.cells()
        ));
    }
    let mut unpacked = Unpacked {
        view: View::new(grid.clone(), mines),
        known_mines: Vec::new(),
        is_mine: vec![false; board.cells()],
    };
    let halves = packed.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    for (cell, code) in board.all_cells().zip(halves.clone()) {
        match code {
            SAFE => {}
            MINE => unpacked.is_mine[cell.index()] = true,
            KNOWN_MINE => {
                unpacked.is_mine[cell.index()] = true;
                unpacked.known_mines.push(cell);
            }
            number => unpacked
                .view
                .open(cell, number)
                .map_err(|_| format!("it has the code {number}"))?,
        }
    }
    if halves.skip(board.cells()).any(|code| code != NO_CELL) {
        return Err("its last half byte is not padding".to_owned());
    }
    let found = unpacked.is_mine.iter().filter(|&&mine| mine).count();
    if found != mines {
        return Err(format!("it has {found} mines, and the board {mines}"));
    }
    Ok(unpacked)
}
