//! The positions that a beam has followed, each with the way to it.

use super::rules::Move;

/// Stands for the position before the first one.
pub(super) const NONE: u32 = u32::MAX;

/// Of each position the number of the one before, and the move from there.
#[derive(Clone, Debug, Default)]
pub(super) struct Followed(Vec<(u32, Move)>);

impl Followed {
    /// Adds a position and gives its number.
    pub(super) fn push(&mut self, parent: u32, a_move: Move) -> u32 {
        self.0.push((parent, a_move));
        self.0.len() as u32 - 1
    }

    /// The moves that led to a position.
    pub(super) fn line(&self, mut number: u32) -> Vec<Move> {
        let mut moves = Vec::new();
        while let Some(&(parent, a_move)) = self.0.get(number as usize).filter(|(parent, _)| *parent != NONE) {
            moves.push(a_move);
            number = parent;
        }
        moves.reverse();
        moves
    }
}
