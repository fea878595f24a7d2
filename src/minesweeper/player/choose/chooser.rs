//! The interface of a chooser, which applies a rule.

use std::fmt::Debug;

use super::super::decision::NoMove;
use crate::{
    Cell,
    features::Position,
    solver::{Analysis, Budget},
};
use mineflow_rng::Rng;

/// A chooser applies a rule to successive guesses on one board.
pub trait Chooser: Send + Debug {
    /// Returns the cell to open, or `None` if there is no candidate. `mine` holds the mine
    /// probabilities of the candidates, and NaN for all other cells. A cell whose mine probability
    /// is 1 is chosen only if there is no other candidate.
    ///
    /// # Errors
    /// Returns the reason if counting layouts fails.
    ///
    /// # Panics
    /// Panics if the position's board size differs from the chooser's.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove>;
}

/// The position of a guess and the resources to choose from it.
#[derive(Debug)]
pub struct Guess<'a> {
    pub position: &'a Position<'a>,
    /// The analysis of the same position. Its probabilities have been computed if the rule needs
    /// the posterior.
    pub analysis: &'a mut Analysis,
    pub budget: &'a mut Budget,
    pub rng: &'a mut Rng,
}

impl Guess<'_> {
    /// Returns whether more than this fraction of the board's cells is unknown.
    pub(super) fn is_unknown_above(&self, fraction: f64) -> bool {
        let cells = self.position.view.board().cells();
        self.analysis.unknown() as f64 > fraction * cells as f64
    }
}
