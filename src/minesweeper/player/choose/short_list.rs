//! A short list of the best guesses by two-step safety, from which another rule chooses.

use super::super::decision::NoMove;
use super::rule::{Chooser, Guess};
use super::two_step::TwoStepChooser;
use crate::Cell;
use crate::ahead::{Scored, TwoStep};
use crate::solver::Layouts;

/// A selector of the best guesses by two-step safety. On boards that are mostly unknown, two-step
/// safety makes the choice itself.
#[derive(Debug)]
pub(super) struct ShortList {
    /// The maximum fraction of unknown cells on the board; above it, two-step safety chooses.
    unknown: f64,
    /// The maximum number of guesses on the list.
    most: usize,
    /// A guess is on the list if its two-step safety is at most this much below the best.
    within: f64,
    two_step: TwoStepChooser,
    layouts: Layouts,
}

impl ShortList {
    /// Creates a selector whose two-step safety counts only living cells.
    pub(super) fn new(unknown: f64, most: usize, within: f64) -> Self {
        Self {
            unknown,
            most,
            within,
            two_step: TwoStepChooser::new(TwoStep::of_living_cells()),
            layouts: Layouts::default(),
        }
    }

    /// Returns the guess that `judge` chooses from the list, which starts with the best guess by
    /// two-step safety. `judge` may draw from the consistent layouts. Above the maximum fraction of
    /// unknown cells, two-step safety chooses instead of `judge`.
    pub(super) fn choose(
        &mut self,
        guess: &mut Guess<'_>,
        mine: &[f64],
        judge: impl FnOnce(&mut Guess<'_>, &[Scored], &Layouts) -> Option<Cell>,
    ) -> Result<Option<Cell>, NoMove> {
        if guess.is_unknown_above(self.unknown) {
            return self.two_step.choose(guess, mine);
        }
        guess.analysis.layouts(&mut self.layouts, guess.budget)?;
        let list = self.two_step.look(guess.analysis, mine, self.most);
        let least = list.first().map_or(0.0, |best| best.score) - self.within;
        let close = list.iter().take_while(|of| of.score >= least).count();
        Ok(judge(guess, &list[..close], &self.layouts))
    }
}
