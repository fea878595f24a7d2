//! Common measures of a board's difficulty.

use crate::{Cell, Minefield};

/// Measures of a layout of mines.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Measures {
    /// The number of openings: connected regions of cells with number 0.
    pub openings: usize,
    /// The 3BV: the minimum number of clicks that open all safe cells without flags. It is the
    /// number of openings plus the number of numbered cells that touch no opening.
    pub clicks: usize,
}

impl Measures {
    pub fn of(field: &Minefield) -> Self {
        let board = field.board();
        let grid = field.grid();
        let zero = |cell: Cell| !field.is_mine(cell) && field.number(cell) == 0;
        let mut reached = vec![false; board.cells()];
        let mut openings = 0;
        let mut to_visit = Vec::new();
        for start in board.all_cells().filter(|&cell| zero(cell)) {
            if reached[start.index()] {
                continue;
            }
            openings += 1;
            reached[start.index()] = true;
            to_visit.push(start);
            while let Some(cell) = to_visit.pop() {
                for near in grid.neighbors(cell) {
                    if !std::mem::replace(&mut reached[near.index()], true) && zero(near) {
                        to_visit.push(near);
                    }
                }
            }
        }
        let alone = board
            .all_cells()
            .filter(|&cell| !field.is_mine(cell) && !reached[cell.index()])
            .count();
        Self {
            openings,
            clicks: openings + alone,
        }
    }
}
