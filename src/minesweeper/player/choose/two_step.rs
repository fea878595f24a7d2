//! The two-step safety rule, with a cache of its choices in the first positions of games.

use std::collections::HashMap;

use super::super::decision::NoMove;
use super::rule::{Chooser, ChoosingRule, Guess};
pub use crate::ahead::TwoStep;
use crate::ahead::{LookScratch, Scored};
use crate::solver::Analysis;
use crate::{Cell, Grid, View};
use mineflow_search::options::{OptionError, OptionList, Options};

/// The maximum number of open cells of a cached position. On expert, a third of all guesses are in
/// such positions, which recur in many games.
const OPENING: usize = 4;
/// The maximum number of cached positions.
const MOST_OPENINGS: usize = 1 << 14;

/// The open cells of a position with their numbers, in ascending order of cells. Unused entries
/// hold a cell off the board.
type Opening = [(u16, u8); OPENING];

impl ChoosingRule for TwoStep {
    const NAME: &'static str = "two-step";
    const HELP: &'static str = "the guess that is most probably safe together with the next move; needs posterior; [:influence=0] [:living=no|yes] \
                                [:candidates=covered|sampled]";
    const NEEDS_POSTERIOR: bool = true;

    fn usual() -> Self {
        Self::default()
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        Box::new(TwoStepChooser::new(*self))
    }
}

impl Options for TwoStep {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("influence", &mut self.influence, 0.0..=1.0)?;
        list.choice("living", &mut self.living, &[("yes", true), ("no", false)])
    }
}

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
    pub(super) fn new(rule: TwoStep) -> Self {
        Self {
            rule,
            looking: LookScratch::default(),
            openings: HashMap::new(),
        }
    }

    /// Returns the `most` best candidates, best first.
    pub(super) fn look(&mut self, analysis: &mut Analysis, mine: &[f64], most: usize) -> &[Scored] {
        self.rule.look(analysis, mine, most, &mut self.looking);
        &self.looking.scored
    }

    fn best(&mut self, analysis: &mut Analysis, mine: &[f64]) -> Option<Cell> {
        self.look(analysis, mine, 1).first().map(|best| best.cell)
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
        if let Some(found) = found.filter(|_| self.openings.len() < MOST_OPENINGS) {
            self.openings.insert(opening, found);
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
    let shown = |&cell: &Cell| {
        (
            cell.0,
            view.number(cell).expect("opened cells have a number"),
        )
    };
    opened
        .iter()
        .map(shown)
        .zip(&mut opening)
        .for_each(|(shown, place)| *place = shown);
    opening.sort_unstable();
    Some(opening)
}
