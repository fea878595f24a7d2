//! Moves, groups and points.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum number of colours of a board.
pub const COLOURS: usize = 8;
/// Points for a cleared board (Schadd et al. (SP-MCTS), section 2.1).
pub const CLEARED: i32 = 1000;

/// A move, given by a cell of the group to remove. The lowest cell in the group's leftmost column names the group.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "(u8, u8)", into = "(u8, u8)")]
pub struct Move {
    /// The column, counted from the left, from 0.
    pub column: u8,
    /// The row, counted from the bottom, from 0.
    pub row: u8,
}

impl Move {
    /// The cell of a bit, if columns have `lane` bits.
    #[inline(always)]
    pub(super) fn at(bit: usize, lane: usize) -> Self {
        Self {
            column: (bit / lane) as u8,
            row: (bit % lane) as u8,
        }
    }
}

impl From<(u8, u8)> for Move {
    fn from((column, row): (u8, u8)) -> Self {
        Self { column, row }
    }
}

impl From<Move> for (u8, u8) {
    fn from(Move { column, row }: Move) -> Self {
        (column, row)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.column, self.row)
    }
}

/// A group of two or more cells that can be removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Group {
    /// The cell that names the group.
    pub name: Move,
    /// The number of cells, 2 or more.
    pub size: u32,
}

impl Group {
    /// The points for removing the group.
    pub fn points(self) -> i32 {
        points(self.size)
    }
}

/// Points for the removal of a group of `size` cells: `(size - 2)^2`.
pub fn points(size: u32) -> i32 {
    let beyond_two = size as i32 - 2;
    beyond_two * beyond_two
}
