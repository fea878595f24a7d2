//! A game in progress, as a state of the search.

use super::{
    board::Board,
    playout::Strategy,
    rules::{Move, points},
    shape::{Shape, Small},
};
use mineflow_rng::Rng;
use mineflow_search::{Rollout, State};

/// A board and the points scored so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Position<S: Shape = Small> {
    pub board: Board<S>,
    /// The points for the groups removed so far.
    pub points: i32,
}

impl<S: Shape> Position<S> {
    /// Returns the start of a game on `board`.
    pub fn new(board: Board<S>) -> Self {
        Self { board, points: 0 }
    }

    /// Returns the points so far plus the points of the ending, as if the game ended here.
    pub fn score(&self) -> i32 {
        self.points + self.board.ending()
    }

    /// Removes the group of a cell and returns its size. If the cell is in no group, returns `None`
    /// and changes nothing.
    pub fn remove(&mut self, cell: Move) -> Option<u32> {
        let size = self.board.remove(cell)?;
        self.points += points(size);
        Some(size)
    }

    /// Removes the groups of the cells of `line`, one after the other.
    ///
    /// # Errors
    /// Returns the index of the first cell that belongs to no group. The moves before it have been
    /// played.
    pub fn replay(&mut self, line: &[Move]) -> Result<(), usize> {
        line.iter()
            .enumerate()
            .try_for_each(|(index, &cell)| self.remove(cell).map(|_| ()).ok_or(index))
    }
}

impl<S: Shape> State for Position<S> {
    type Move = Move;

    fn moves(&self, moves: &mut Vec<Move>) {
        self.board.moves(moves);
    }

    fn play(&mut self, cell: Move, _: &mut Rng) -> u32 {
        let size = self.remove(cell);
        debug_assert!(size.is_some(), "{cell} names no group");
        0
    }

    fn reward(&self) -> f64 {
        f64::from(self.score())
    }
}

impl<S: Shape> Rollout<Position<S>> for Strategy {
    fn playout(&mut self, position: &mut Position<S>, line: &mut Vec<Move>, rng: &mut Rng) {
        position.points += position.board.playout(self, line, rng);
    }
}
