//! Chooses the least likely mine, with ties broken in favour of informative numbers.

use super::super::decision::NoMove;
use super::chooser::{Chooser, Guess};
use super::closest::Closest;
use crate::{Cell, CellSet, Grid};

/// The chooser of [`Rule::LeastMine`](super::Rule::LeastMine).
#[derive(Debug)]
pub(super) struct LeastMineChooser {
    closest: Closest,
    /// The cells by number of neighbours, fewest first.
    by_neighbors: Vec<CellSet>,
}

impl LeastMineChooser {
    pub(super) fn new(grid: &Grid) -> Self {
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
        let on_boundary = |class: &[u64]| {
            first_set(
                close
                    .iter()
                    .zip(boundary)
                    .zip(class)
                    .map(|((close, boundary), class)| close & boundary & class),
            )
        };
        let anywhere =
            |class: &[u64]| first_set(close.iter().zip(class).map(|(close, class)| close & class));
        Ok(classes()
            .find_map(on_boundary)
            .or_else(|| classes().find_map(anywhere)))
    }
}

fn first_set(words: impl Iterator<Item = u64>) -> Option<Cell> {
    let (i, word) = words.enumerate().find(|&(_, word)| word != 0)?;
    Some(Cell((i * 64) as u16 + word.trailing_zeros() as u16))
}
