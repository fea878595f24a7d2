//! Chooses the least likely mine, with ties broken in favour of informative numbers.

use super::{
    super::decision::NoMove,
    chooser::{Chooser, Guess},
    closest::Closest,
};
use crate::{Cell, CellSet, Grid};

/// The chooser of [`Rule::LeastMine`](super::Rule::LeastMine).
#[derive(Debug)]
pub(super) struct LeastMineChooser {
    closest: Closest,
    /// The cells by number of neighbours, fewest first.
    by_neighbors: Vec<CellSet>,
}

impl LeastMineChooser {
    pub fn new(grid: &Grid) -> Self {
        let board = grid.board();
        let mut by_neighbors = vec![CellSet::new(board.cells()); 9];
        for cell in board.all_cells() {
            by_neighbors[grid.neighbor_count(cell)].insert(cell);
        }
        by_neighbors.retain(|cells| !cells.is_empty());
        Self {
            closest: Closest::new(board),
            by_neighbors,
        }
    }
}

impl Chooser for LeastMineChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        self.closest.gather(mine, 0.0);
        let close = self.closest.cells().words();
        let boundary = guess.position.boundary.words();
        let classes = || self.by_neighbors.iter().map(|class| class.words());
        Ok(classes()
            .find_map(|class| first_common(close, boundary, class))
            .or_else(|| classes().find_map(|class| first_common(close, close, class))))
    }
}

/// Returns the first cell that three sets have in common.
fn first_common(first: &[u64], second: &[u64], third: &[u64]) -> Option<Cell> {
    let words = first.iter().zip(second).zip(third);
    let common = words.map(|((first, second), third)| first & second & third);
    let (i, word) = common.enumerate().find(|&(_, word)| word != 0)?;
    Some(Cell((i * 64) as u16 + word.trailing_zeros() as u16))
}
