//! The cells that a rule may choose from.

use rand::RngExt;

use super::{
    super::decision::NoMove,
    chooser::{Chooser, Guess},
};
use crate::{Cell, features::Position, solver::TIE};
use mineflow_rng::Rng;
use mineflow_store::named;

/// The set of cells that a rule may choose from. It never contains a cell known to be a mine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Candidates {
    /// Every covered cell.
    #[default]
    Covered,
    /// The boundary cells and three random cells off the boundary: the literal reading of Sinha et
    /// al. (2021, section 4.2.2) for players 5.0 and above.
    Sampled,
}

named!(Candidates, "set of candidates": Covered = "covered", Sampled = "sampled");

/// The number of cells off the boundary that [`Candidates::Sampled`] adds to the boundary (Sinha et
/// al. 2021, section 4.2.2).
const SAMPLED: usize = 3;

/// A chooser that applies a rule to the candidates only.
#[derive(Debug)]
pub struct CandidateChooser {
    candidates: Candidates,
    rule: Box<dyn Chooser>,
    /// Scratch memory for the probabilities of the candidates, with NaN for all other cells;
    /// `elsewhere` holds the cells off the boundary.
    mine: Vec<f64>,
    elsewhere: Vec<Cell>,
}

impl CandidateChooser {
    pub(super) fn new(candidates: Candidates, rule: Box<dyn Chooser>) -> Self {
        Self {
            candidates,
            rule,
            mine: Vec::new(),
            elsewhere: Vec::new(),
        }
    }

    /// Returns the cell to open, or `None` if there is no candidate.
    ///
    /// # Errors
    /// Returns the errors of [`Chooser::choose`].
    ///
    /// # Panics
    /// Panics if the position's board size differs from the chooser's.
    pub fn choose(&mut self, mut guess: Guess<'_>) -> Result<Option<Cell>, NoMove> {
        if self.candidates == Candidates::Sampled {
            self.narrow(guess.position, guess.rng);
            if self.mine.iter().any(|mine| !mine.is_nan()) {
                return self.rule.choose(&mut guess, &self.mine);
            }
        }
        let all = guess.position.mine;
        self.rule.choose(&mut guess, all)
    }

    /// Stores the probabilities of the boundary and of three random cells in `self.mine`, with NaN
    /// for all other cells.
    fn narrow(&mut self, position: &Position<'_>, rng: &mut Rng) {
        let mine = position.mine;
        let may_be_safe = |cell: &Cell| mine[cell.index()] < 1.0 - TIE;
        self.mine.clear();
        self.mine.resize(mine.len(), f64::NAN);
        for cell in position.boundary.iter().filter(may_be_safe) {
            self.mine[cell.index()] = mine[cell.index()];
        }
        let cells = (0..mine.len() as u16).map(Cell);
        self.elsewhere.clear();
        self.elsewhere
            .extend(cells.filter(|cell| may_be_safe(cell) && !position.boundary.contains(*cell)));
        for drawn in 0..SAMPLED.min(self.elsewhere.len()) {
            let other = rng.random_range(drawn as u32..self.elsewhere.len() as u32) as usize;
            self.elsewhere.swap(drawn, other);
            let cell = self.elsewhere[drawn].index();
            self.mine[cell] = mine[cell];
        }
    }
}
