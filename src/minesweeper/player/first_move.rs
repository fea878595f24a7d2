//! The first click of a game.

use crate::{Board, Cell, FirstClick};

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
pub(super) const CORNER: (&str, &str) =
    ("corner-first", "first click in a corner; where it is promised an opening, at (3, 3), on expert (4, 4)");

impl FirstMove {
    /// The cell to click first, `None` if the recipe's choice is to say.
    ///
    /// A corner has the fewest neighbours, so the likeliest opening (second paper, heuristic 1). Where an opening is
    /// promised, a cell further in opens more: (3, 3) counted from 1, and (4, 4) on 30x16 and 16x30, but never past the
    /// middle of the board.
    pub fn cell(self, board: Board, rule: FirstClick) -> Option<Cell> {
        let (width, height) = (board.width(), board.height());
        let inset = match (self, rule) {
            (Self::AsChosen, _) => return None,
            (Self::Corner, FirstClick::Safe | FirstClick::Any) => 0,
            (Self::Corner, FirstClick::Opening) if matches!((width, height), (30, 16) | (16, 30)) => 3,
            (Self::Corner, FirstClick::Opening) => 2,
        };
        board.cell(inset.min((height - 1) / 2), inset.min((width - 1) / 2))
    }
}
