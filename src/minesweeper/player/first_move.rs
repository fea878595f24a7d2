//! The first click of a game.

use crate::{Board, Cell, FirstClick, View};

/// How a recipe makes its first move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum FirstMove {
    /// Like every other move, all cells being equally likely mines.
    #[default]
    AsChosen,
    /// On a fixed cell that opens well: see [`FirstMove::cell`].
    Corner,
}

/// Name and one line of help.
pub(super) const CORNER: (&str, &str) = (
    "corner-first",
    "first click in a corner; where an opening is promised, at (2, 2), on expert at (3, 3)",
);

impl FirstMove {
    /// The cell to click first, `None` if the recipe's choice is to say.
    ///
    /// A corner has the fewest neighbours, so the likeliest opening (second paper, heuristic 1). Where an opening is
    /// promised, a cell further in opens more: (2, 2), and (3, 3) on 30x16 and 16x30, but never past the middle of
    /// the board. Rows and columns are counted from 0.
    pub fn cell(self, board: Board, rule: FirstClick) -> Option<Cell> {
        let (width, height) = (board.width(), board.height());
        let inset = match (self, rule) {
            (Self::AsChosen, _) => return None,
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

/// The first cell to open, given the one that the recipe would take: the cell itself, unless an opening is promised for which the
/// board has no room there.
///
/// An opening has no room where there are more mines than cells outside its neighbourhood. Then this returns the cell that leaves the
/// fewest layouts of the mines, which is the most that a first click can tell. Of several such cells it returns the one nearest to
/// the middle of the board, where an opening has the longest border; of several of those the first in row-major order.
pub(super) fn with_room(view: &View, rule: FirstClick, cell: Cell) -> Cell {
    let (board, grid) = (view.board(), view.grid());
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

/// The number of ways to choose `k` of `n` cells. `k` or `n - k` is at most 4: where an opening lacks room, at most 8 cells are safe.
fn combinations(n: usize, k: usize) -> u64 {
    (0..k.min(n - k) as u64).fold(1, |ways, i| ways * (n as u64 - i) / (i + 1))
}
