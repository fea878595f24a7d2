//! The rule that chooses the cell nearest to an edge.

use super::super::decision::NoMove;
use super::closest::Closest;
use super::rule::{Chooser, ChoosingRule, Guess};
use crate::solver::TIE;
use crate::{Cell, Grid};
use mineflow_rng::Rng;
use mineflow_search::options::{OptionError, OptionList, Options};

/// The rule of players 4.0 and 4.5: among the cells within `margin` of the lowest P, it chooses the
/// one nearest to an edge (Sinha et al. 2021, section 4.2.1). Ties are broken by P, then at random.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Edge {
    /// The margin in P, 0 to 1.
    pub margin: f64,
}

impl Edge {
    /// The margin of Sinha et al. (2021).
    pub const PAPER: Self = Self { margin: 0.05 };
}

impl ChoosingRule for Edge {
    const NAME: &'static str = "edge";
    const HELP: &'static str = "the cell nearest to an edge, of those with P at most the margin above the lowest; [:margin=0.05] [:candidates=covered|sampled]";
    const ALWAYS_SHOWN: &'static [&'static str] = &["margin"];

    fn usual() -> Self {
        Self::PAPER
    }

    fn chooser(&self, grid: &Grid) -> Box<dyn Chooser> {
        Box::new(EdgeChooser {
            margin: self.margin,
            near: NearEdge::new(grid),
        })
    }
}

impl Options for Edge {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("margin", &mut self.margin, 0.0..=1.0)
    }
}

#[derive(Debug)]
struct EdgeChooser {
    margin: f64,
    near: NearEdge,
}

impl Chooser for EdgeChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        self.near.closest.gather(mine, self.margin);
        Ok(self.near.choose(mine, guess.rng))
    }
}

/// The cells within the margin, and the distance of each cell of the board to the edge.
#[derive(Debug)]
pub(super) struct NearEdge {
    pub(super) closest: Closest,
    /// The Manhattan distance of every cell to the nearest edge, `min(i, j, p - 1 - i, q - 1 - j)`.
    distance: Box<[u16]>,
}

impl NearEdge {
    pub(super) fn new(grid: &Grid) -> Self {
        let board = grid.board();
        let distance = board
            .all_cells()
            .map(|cell| board.edge_distance(cell) as u16);
        Self {
            closest: Closest::new(board),
            distance: distance.collect(),
        }
    }

    /// Chooses the cell within the margin that is nearest to an edge. Ties go to the lowest of
    /// `values`, then are broken at random.
    pub(super) fn choose(&mut self, values: &[f64], rng: &mut Rng) -> Option<Cell> {
        let Self { closest, distance } = self;
        let distance = |cell: Cell| distance[cell.index()];
        let value = |cell: Cell| values[cell.index()];
        let nearest = closest.cells().iter().map(distance).min()?;
        closest.keep(|cell| distance(cell) == nearest);
        let least = closest
            .cells()
            .iter()
            .map(value)
            .fold(f64::INFINITY, f64::min);
        closest.keep(|cell| value(cell) <= least + TIE);
        closest.draw(rng)
    }
}
