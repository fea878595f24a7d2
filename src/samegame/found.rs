//! The results of a search.

use super::board::Board;
use super::position::Position;
use super::rules::Move;
use super::shape::Shape;
use super::test_set::ScoredLine;

/// The best line that a search has found, with search statistics.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SearchResult {
    pub solution: ScoredLine,
    /// The number of positions reached by removing a group, including those in playouts.
    pub positions: u64,
}

impl SearchResult {
    /// Returns the game that plays the line on `board`, the board of the search.
    pub(super) fn game<S: Shape>(self, board: &Board<S>) -> FinishedGame {
        FinishedGame {
            nodes: self.positions,
            ..FinishedGame::of(board, self.solution.moves)
        }
    }
}

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
        let score = position.score();
        let cleared = position.board.is_cleared();
        Self {
            line,
            score,
            cleared,
            playouts: 0,
            nodes: 0,
            mean_depth: None,
            deepest: None,
            selection_depth: None,
        }
    }
}
