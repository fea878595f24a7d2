//! The result of an algorithm.

use super::{board::Board, position::Position, rules::Move, shape::Shape};

/// A game played by an algorithm, with search statistics.
#[derive(Clone, PartialEq, Debug)]
pub struct FinishedGame {
    pub line: Vec<Move>,
    pub score: i32,
    pub cleared: bool,
    pub playouts: u64,
    /// The number of positions kept in memory, or the number examined by an algorithm that keeps
    /// none.
    pub nodes: u64,
    /// The mean depth of a node in the tree, if the algorithm has a tree.
    pub mean_depth: Option<f64>,
    /// The depth of the deepest node in the tree, if the algorithm has a tree; the mean over trees
    /// if there are several.
    pub deepest: Option<f64>,
    /// The mean over playouts of the depth at which selection ended, with the root at depth 1, if the
    /// algorithm has a tree.
    pub selection_depth: Option<f64>,
}

impl FinishedGame {
    /// Returns the game with the moves `line` from `board`, without search statistics.
    ///
    /// # Panics
    /// Panics if a move of the line can't be played.
    pub(super) fn of<S: Shape>(board: &Board<S>, line: Vec<Move>) -> Self {
        let mut position = Position::new(*board);
        position
            .replay(&line)
            .expect("an algorithm plays legal moves");
        Self {
            line,
            score: position.score(),
            cleared: position.board.is_cleared(),
            playouts: 0,
            nodes: 0,
            mean_depth: None,
            deepest: None,
            selection_depth: None,
        }
    }
}
