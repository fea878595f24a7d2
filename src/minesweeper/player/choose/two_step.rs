//! Chooses by two-step safety, with a cache of its choices in the first positions of games.

use std::collections::HashMap;

use super::{
    super::decision::NoMove,
    chooser::{Chooser, Guess},
};
use crate::{
    Cell, View,
    ahead::{LookScratch, Scored, TwoStep},
    solver::Analysis,
};

/// The maximum number of open cells of a cached position. On expert, a third of all guesses are in
/// such positions, which recur in many games.
const OPENING: usize = 4;
/// The maximum number of cached positions.
const MOST_OPENINGS: usize = 1 << 14;

/// The open cells of a position with their numbers, in ascending order of cells. Unused entries
/// hold a cell off the board.
type Opening = [(u16, u8); OPENING];

/// The [`Chooser`] of [`TwoStep`] on one board.
#[derive(Debug)]
pub(super) struct TwoStepChooser {
    rule: TwoStep,
    looking: LookScratch,
    /// Cached choices in positions with few open cells, by number of mines on the board and open
    /// cells.
    openings: HashMap<(usize, Opening), Cell>,
}

impl TwoStepChooser {
    pub fn new(rule: TwoStep) -> Self {
        Self {
            rule,
            looking: LookScratch::default(),
            openings: HashMap::new(),
        }
    }

    /// Finds the `most` best candidates.
    pub fn look(&mut self, analysis: &mut Analysis, mine: &[f64], most: usize) {
        self.rule.look(analysis, mine, most, &mut self.looking);
    }

    /// Returns the candidates that were found last, best first.
    pub fn scored(&self) -> &[Scored] {
        &self.looking.scored
    }

    fn best(&mut self, analysis: &mut Analysis, mine: &[f64]) -> Option<Cell> {
        self.look(analysis, mine, 1);
        self.scored().first().map(|best| best.cell)
    }
}

impl Chooser for TwoStepChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        // A choice from a narrowed set of candidates must not be cached, because the set may be
        // drawn at random.
        let is_kept = std::ptr::eq(mine, guess.position.mine);
        let view = guess.position.view;
        let Some(opening) = opening(view).filter(|_| is_kept) else {
            return Ok(self.best(guess.analysis, mine));
        };
        let opening = (view.mines(), opening);
        if let Some(&known) = self.openings.get(&opening) {
            return Ok(Some(known));
        }
        let found = self.best(guess.analysis, mine);
        if let Some(cell) = found
            && self.openings.len() < MOST_OPENINGS
        {
            self.openings.insert(opening, cell);
        }
        Ok(found)
    }
}

/// Returns the open cells of a view, or `None` if there are too many of them for the cache.
fn opening(view: &View) -> Option<Opening> {
    let opened = view.opened();
    if opened.len() > OPENING {
        return None;
    }
    let mut opening: Opening = [(u16::MAX, 0); OPENING];
    for (place, &cell) in opening.iter_mut().zip(opened) {
        let number = view.number(cell).expect("opened cells have a number");
        *place = (cell.0, number);
    }
    opening.sort_unstable();
    Some(opening)
}
