//! The first click of a game.

use mineflow_search::options::{OptionList, Options};

use crate::{Board, Cell, FirstClick, View};

/// The rule for a recipe's first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstMove {
    /// The recipe's choosing rule chooses the first cell too, with all cells equally likely to be
    /// mines.
    #[default]
    AsChosen,
    /// A fixed cell in or near a corner; see [`FirstMove::cell`].
    Corner,
    /// A fixed cell, counted from 0; the last row or column if the board has fewer.
    At { row: usize, column: usize },
}

impl Options for FirstMove {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        if let Self::At { row, column } = self {
            list.number("row", row, 0..=255);
            list.number("column", column, 0..=255);
        }
    }
}

/// The name and help line of [`FirstMove::At`].
pub(super) const AT: (&str, &str) = (
    "first-cell",
    "first click at a row and a column, counted from 0, or at the last if there are fewer",
);

/// The name and help line of [`FirstMove::Corner`].
pub(super) const CORNER: (&str, &str) = (
    "corner-first",
    "first click in a corner; if the rules promise an opening, at (2, 2), on expert at (3, 3)",
);

impl FirstMove {
    /// Returns the fixed cell to click first, or `None` if the recipe's choosing rule decides.
    ///
    /// A corner has the fewest neighbours and thus the highest probability of an opening (heuristic
    /// 1 of "An Artificial Intelligence Approach to Minesweeper"). If an opening is guaranteed, a
    /// cell further inside opens more cells: the fixed cell is then (2, 2), or (3, 3) on 30x16 and
    /// 16x30 boards, but never beyond the middle of the board. Rows and columns are counted from 0.
    pub fn cell(self, board: Board, rule: FirstClick) -> Option<Cell> {
        let width = board.width();
        let height = board.height();
        let inset = match (self, rule) {
            (Self::AsChosen, _) => return None,
            (Self::At { row, column }, _) => {
                return board.cell(row.min(height - 1), column.min(width - 1));
            }
            (Self::Corner, FirstClick::Safe | FirstClick::Any) => 0,
            (Self::Corner, FirstClick::Opening)
                if matches!((width, height), (30, 16) | (16, 30)) =>
            {
                3
            }
            (Self::Corner, FirstClick::Opening) => 2,
        };
        board.cell(inset.min((height - 1) / 2), inset.min((width - 1) / 2))
    }
}

/// Returns the first cell to open: `cell`, unless `rule` guarantees an opening and the board has no
/// room for one at `cell`.
///
/// An opening has no room at a cell if there are more mines than cells outside the cell and its
/// neighbours. If there is no room at `cell`, the function returns the cell that leaves the fewest
/// layouts of the mines, which is the most informative first click. Ties go to the cell nearest to
/// the middle of the board, where an opening has the longest border, and then to the first cell in
/// row-major order.
pub(super) fn with_room(view: &View, rule: FirstClick, cell: Cell) -> Cell {
    let board = view.board();
    let grid = view.grid();
    let outside = |cell| board.cells() - 1 - grid.neighbor_count(cell);
    if rule != FirstClick::Opening || board.mines() <= outside(cell) {
        return cell;
    }
    let layouts = |cell| match board.mines().checked_sub(outside(cell)) {
        Some(beside) => combinations(grid.neighbor_count(cell), beside),
        None => combinations(outside(cell), board.mines()),
    };
    let from_middle = |cell| {
        let (row, col) = board.row_col(cell);
        (2 * row + 1).abs_diff(board.height()).pow(2) + (2 * col + 1).abs_diff(board.width()).pow(2)
    };
    board
        .all_cells()
        .min_by_key(|&cell| (layouts(cell), from_middle(cell)))
        .unwrap_or(cell)
}

/// Returns the binomial coefficient of `n` and `k`. The smaller of `k` and `n - k` is at most 4,
/// because at most 8 cells are safe where an opening lacks room.
fn combinations(n: usize, k: usize) -> u64 {
    (0..k.min(n - k) as u64).fold(1, |ways, i| ways * (n as u64 - i) / (i + 1))
}
