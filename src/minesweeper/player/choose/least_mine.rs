//! The rule that chooses the least likely mine, with ties broken in favour of informative numbers.

use super::super::decision::NoMove;
use super::closest::Closest;
use super::rule::{Chooser, ChoosingRule, Guess};
use crate::{Cell, CellSet, Grid};
use mineflow_search::options::Options;

/// The rule of player 7.0, which chooses the cell with the lowest mine probability. Ties go to
/// boundary cells, then to the cells with the fewest neighbours on the board, then to the first
/// cell in row-major order. The rule is deterministic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LeastMine;

impl ChoosingRule for LeastMine {
    const NAME: &'static str = "least-mine";
    const HELP: &'static str = "the cell with the lowest P, ties to the boundary, then to the fewest neighbours; [:candidates=covered|sampled]";

    fn usual() -> Self {
        Self
    }

    fn chooser(&self, grid: &Grid) -> Box<dyn Chooser> {
        let board = grid.board();
        let mut by_neighbors: [CellSet; 9] = std::array::from_fn(|_| CellSet::new(board.cells()));
        for cell in board.all_cells() {
            by_neighbors[grid.neighbor_count(cell)].insert(cell);
        }
        let by_neighbors = by_neighbors
            .into_iter()
            .filter(|cells| !cells.is_empty())
            .collect();
        Box::new(LeastMineChooser {
            closest: Closest::new(board),
            by_neighbors,
        })
    }
}

impl Options for LeastMine {}

#[derive(Debug)]
struct LeastMineChooser {
    closest: Closest,
    /// The cells by number of neighbours, fewest first.
    by_neighbors: Box<[CellSet]>,
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
