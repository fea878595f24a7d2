//! Moves, groups and points.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The maximum number of colours of a board.
pub const COLOURS: usize = 8;
/// Points for a cleared board (Schadd et al. (SP-MCTS), section 2.1).
pub const CLEARED: i32 = 1000;

/// A move, given by a cell of the group to remove. The lowest cell in the leftmost column of the
/// group is the group's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(from = "(u8, u8)", into = "(u8, u8)")]
pub struct Move {
    /// The column, counted from 0 at the left.
    pub column: u8,
    /// The row, counted from 0 at the bottom.
    pub row: u8,
}

impl Move {
    /// Returns the cell of a bit in a bit board with `lane` bits per column.
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
    /// The cell that is the group's name.
    pub name: Move,
    /// The number of cells, 2 or more.
    pub size: u32,
}

impl Group {
    /// Returns the points for removing the group.
    pub fn points(self) -> i32 {
        points(self.size)
    }
}

/// Returns the points for removing a group of `size` cells: `(size - 2)^2`.
pub fn points(size: u32) -> i32 {
    let beyond_two = size as i32 - 2;
    beyond_two * beyond_two
}
