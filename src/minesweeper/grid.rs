//! The neighbourhood of every cell of a board, computed once.

use super::{Board, Cell};

/// The eight directions around a cell as (row, column) steps, in row-major order. Direction `k` is
/// opposite to `7 - k`.
///
/// ```text
/// 0 1 2
/// 3 . 4
/// 5 6 7
/// ```
pub const AROUND: [(i32, i32); 8] = [
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
];

/// Neighbour tables of a board, shared by all players and solvers on it.
///
/// [`Grid::around`] has eight entries for every cell. Entries beyond the edge of the board are
/// [`Grid::off_board`], one slot past the last cell. Hot loops can thus visit eight neighbours
/// without a branch, on slices of `cells + 1` entries.
#[derive(Debug, PartialEq, Eq)]
pub struct Grid {
    board: Board,
    around: Box<[[u16; 8]]>,
    neighbor_counts: Box<[u8]>,
    fewest_neighbors: Box<[Cell]>,
}

impl Grid {
    /// Builds the tables of `board`, which take 19 bytes per cell.
    pub fn new(board: Board) -> Self {
        let off = board.cells() as u16;
        let around: Box<[[u16; 8]]> = board
            .all_cells()
            .map(|cell| {
                let (row, col) = board.row_col(cell);
                AROUND.map(|(down, right)| {
                    let row = row.checked_add_signed(down as isize);
                    let col = col.checked_add_signed(right as isize);
                    row.zip(col)
                        .and_then(|(row, col)| board.cell(row, col))
                        .map_or(off, |cell| cell.0)
                })
            })
            .collect();
        let neighbor_counts: Box<[u8]> = around
            .iter()
            .map(|around| around.iter().filter(|&&d| d != off).count() as u8)
            .collect();
        let mut fewest_neighbors: Box<[Cell]> = board.all_cells().collect();
        fewest_neighbors.sort_by_key(|cell| neighbor_counts[cell.index()]);
        Self {
            board,
            around,
            neighbor_counts,
            fewest_neighbors,
        }
    }

    /// Returns the board that the tables belong to.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Returns the slot past the last cell, which represents everything off the board.
    pub fn off_board(&self) -> usize {
        self.around.len()
    }

    /// Returns the neighbours of `cell` in the order of [`AROUND`], with [`Grid::off_board`] where
    /// a neighbour does not exist.
    pub fn around(&self, cell: usize) -> &[u16; 8] {
        &self.around[cell]
    }

    /// Returns the neighbours of `cell` that are on the board.
    pub fn neighbors(&self, cell: Cell) -> impl Iterator<Item = Cell> + '_ {
        let off = self.off_board();
        self.around[cell.index()]
            .iter()
            .filter(move |&&d| d as usize != off)
            .map(|&d| Cell(d))
    }

    /// Returns the number of neighbours of `cell` on the board: 8, or fewer at an edge.
    pub fn neighbor_count(&self, cell: Cell) -> usize {
        self.neighbor_counts[cell.index()] as usize
    }

    /// Returns all cells sorted by number of neighbours, fewest first (corners, edges, inner
    /// cells), with ties in row-major order.
    pub fn by_fewest_neighbors(&self) -> &[Cell] {
        &self.fewest_neighbors
    }
}
