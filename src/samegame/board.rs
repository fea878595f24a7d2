//! A board as bit boards, one per colour.

use super::{
    bits::Bits as _,
    playout::Strategy,
    rules::{CLEARED, COLOURS, Group, Move, points},
    shape::{Shape, Small, each_group, playout, remove_at},
};
use mineflow_rng::Rng;

/// The cells of a board. A board stores neither its size nor the points scored so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board<S: Shape = Small> {
    colours: [S::Words; COLOURS],
}

impl<S: Shape> Board<S> {
    /// The maximum number of columns, and of rows, of a board of this shape.
    pub const SIDE: usize = S::SIDE;

    fn bit(column: usize, row: usize) -> usize {
        column * S::Plain::LANE + row
    }

    /// Puts a cell with a colour in 0..8 on an empty place. Columns must be filled from the bottom
    /// up and from left to right.
    pub(super) fn put(&mut self, column: usize, row: usize, colour: usize) {
        debug_assert!(column < S::SIDE && row < S::SIDE);
        let bit = Self::bit(column, row);
        self.colours[colour].as_mut()[bit / 64] |= 1 << (bit % 64);
    }

    /// Returns the colour of a cell in 0..8, or `None` if the cell is empty or outside the board.
    pub fn colour(&self, column: usize, row: usize) -> Option<usize> {
        if column >= S::SIDE || row >= S::SIDE {
            return None;
        }
        let bit = Self::bit(column, row);
        self.colours
            .iter()
            .position(|cells| cells.as_ref()[bit / 64] >> (bit % 64) & 1 == 1)
    }

    /// Returns the number of cells of each colour.
    pub fn counts(&self) -> [u32; COLOURS] {
        self.colours
            .map(|cells| cells.as_ref().iter().map(|word| word.count_ones()).sum())
    }

    /// Returns the number of occupied cells.
    pub(super) fn cells(&self) -> usize {
        self.counts().iter().sum::<u32>() as usize
    }

    /// Returns the colour with the most cells. Ties go to the lowest index.
    pub(super) fn most_frequent(&self) -> usize {
        let counts = self.counts();
        let first = |&colour: &usize| (counts[colour], std::cmp::Reverse(colour));
        (0..COLOURS).max_by_key(first).unwrap_or(0)
    }

    /// Returns whether the board is empty.
    pub fn is_cleared(&self) -> bool {
        self.colours == [S::Words::default(); COLOURS]
    }

    /// Appends the groups that can be removed, column by column from the left, and from the bottom
    /// in each column.
    pub fn groups(&self, groups: &mut Vec<Group>) {
        each_group::<S>(&self.colours, |bit, size| {
            groups.push(Group {
                name: Move::at(bit, S::Plain::LANE),
                size,
            })
        });
    }

    /// Appends the names of the groups, in the order of [`Board::groups`].
    pub fn moves(&self, moves: &mut Vec<Move>) {
        each_group::<S>(&self.colours, |bit, _| {
            moves.push(Move::at(bit, S::Plain::LANE))
        });
    }

    /// Removes the group of a cell, which may be any cell of the group. Then the cells above the
    /// group fall, and empty columns close. Returns the size of the group. If the cell is in no
    /// group of two or more, returns `None` and leaves the board unchanged.
    pub fn remove(&mut self, cell: Move) -> Option<u32> {
        let column = usize::from(cell.column);
        let row = usize::from(cell.row);
        if column >= S::SIDE || row >= S::SIDE {
            return None;
        }
        let size = remove_at::<S>(&mut self.colours, Self::bit(column, row));
        (size > 0).then_some(size)
    }

    /// Returns the points at the end of the game: 1,000 for a cleared board, otherwise `-(n - 2)^2`
    /// for each colour with `n > 2` cells left. Schadd et al. (SP-MCTS) also deduct points for a
    /// single cell, but their published scores can only be reproduced with this rule.
    pub fn ending(&self) -> i32 {
        if self.is_cleared() {
            return CLEARED;
        }
        -self
            .counts()
            .into_iter()
            .map(|count| points(count.max(2)))
            .sum::<i32>()
    }

    /// Plays a strategy to the end of the game and appends the moves to `line`. Returns the points
    /// for the groups removed, without the points of the ending.
    pub fn playout(&mut self, strategy: &Strategy, line: &mut Vec<Move>, rng: &mut Rng) -> i32 {
        playout::<S>(&mut self.colours, strategy, line, rng)
    }
}
