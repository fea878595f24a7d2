//! The rule that chooses the cell with the lowest P.

use super::super::decision::NoMove;
use super::closest::Closest;
use super::rule::{Chooser, ChoosingRule, Guess};
use crate::{Cell, Grid};
use mineflow_search::options::Options;

/// The rule of players 1.0 to 3.5, which chooses the cell with the lowest mine probability (Sinha
/// et al. 2021, section 4.2). Ties are broken at random.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinP;

impl ChoosingRule for MinP {
    const NAME: &'static str = "min-p";
    const HELP: &'static str =
        "the cell with the lowest P, ties at random; [:candidates=covered|sampled]";

    fn usual() -> Self {
        Self
    }

    fn chooser(&self, grid: &Grid) -> Box<dyn Chooser> {
        Box::new(MinPChooser(Closest::new(grid.board())))
    }
}

impl Options for MinP {}

#[derive(Debug)]
struct MinPChooser(Closest);

impl Chooser for MinPChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        self.0.gather(mine, 0.0);
        Ok(self.0.draw(guess.rng))
    }
}
