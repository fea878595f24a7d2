//! Chooses the cell nearest to an edge, of those with the lowest P or the lowest scores.

use super::{
    super::decision::NoMove,
    chooser::{Chooser, Guess},
    closest::Closest,
};
use crate::{Cell, Grid, features::LocationScore, solver::TIE};
use mineflow_rng::Rng;

/// The margin of Sinha et al. (2021).
pub(super) const MARGIN: f64 = 0.05;

/// The chooser of [`Rule::Edge`](super::Rule::Edge) and
/// [`Rule::EdgeScore`](super::Rule::EdgeScore).
#[derive(Debug)]
pub(super) struct EdgeChooser {
    margin: f64,
    /// The weight alpha of P and the location score, if cells are compared by Sc instead of P.
    score: Option<(f64, LocationScore)>,
    /// Scratch memory for Sc of the candidates.
    values: Vec<f64>,
    closest: Closest,
    /// The Manhattan distance of every cell to the nearest edge, `min(i, j, p - 1 - i, q - 1 - j)`.
    distance: Box<[u16]>,
}

impl EdgeChooser {
    pub fn new(margin: f64, score: Option<(f64, LocationScore)>, grid: &Grid) -> Self {
        let board = grid.board();
        let distance = board
            .all_cells()
            .map(|cell| board.edge_distance(cell) as u16);
        Self {
            margin,
            score,
            values: Vec::new(),
            closest: Closest::new(board),
            distance: distance.collect(),
        }
    }
}

impl Chooser for EdgeChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let Some((alpha, score)) = self.score else {
            self.closest.gather(mine, self.margin);
            return Ok(nearest(&mut self.closest, &self.distance, mine, guess.rng));
        };
        let grid = guess.position.view.grid();
        let scores = score.of(guess.position);
        let certain = if mine.iter().any(|&p| p < 1.0 - TIE) {
            1.0 - TIE
        } else {
            f64::INFINITY
        };
        self.values.clear();
        self.values
            .extend(mine.iter().enumerate().map(|(cell, &p)| {
                let location = score.to_minimise(scores.at(grid, Cell(cell as u16)));
                if p < certain {
                    alpha * p + (1.0 - alpha) * location
                } else {
                    f64::NAN
                }
            }));
        self.closest.gather_values(&self.values, self.margin);
        Ok(nearest(
            &mut self.closest,
            &self.distance,
            &self.values,
            guess.rng,
        ))
    }
}

/// Chooses the cell within the margin that is nearest to an edge. Ties go to the lowest of
/// `values`, then are broken at random.
fn nearest(closest: &mut Closest, distance: &[u16], values: &[f64], rng: &mut Rng) -> Option<Cell> {
    let cells = closest.cells().iter();
    let nearest = cells.map(|cell| distance[cell.index()]).min()?;
    closest.keep(|cell| distance[cell.index()] == nearest);
    let cells = closest.cells().iter();
    let least = cells.fold(f64::INFINITY, |least, cell| least.min(values[cell.index()]));
    closest.keep(|cell| values[cell.index()] <= least + TIE);
    closest.draw(rng)
}
