//! Ranks the best guesses by two-step safety with a model trained on roll-outs.

use std::sync::Arc;

use super::{
    super::decision::NoMove,
    chooser::{Chooser, Guess},
    model::LoadedModel,
    two_step::TwoStepChooser,
};
use crate::{
    Cell,
    ahead::{LayoutPlayout, Scored, TwoStep},
    features::guess_v2::{CANDIDATES, RowScratch, append_rows},
    solver::Layouts,
};
use mineflow_model::ModelScratch;

/// The default maximum fraction of unknown cells, as in the training data of the published model.
pub(super) const UNKNOWN: f64 = 0.985;
/// The default of [`RankedList::within`]. Guesses further below the best are hardly ever chosen,
/// and leaving them out saves a fifth of a game's time.
pub(super) const WITHIN: f64 = 0.07;

/// The best guesses by two-step safety, which counts only living cells, and the gain that a model
/// predicts for each. It is the chooser of [`Rule::Ranker`](super::Rule::Ranker).
#[derive(Debug)]
pub(super) struct RankedList {
    model: Arc<LoadedModel>,
    /// The maximum fraction of unknown cells on the board; above it, two-step safety chooses.
    unknown: f64,
    /// A guess is on the list if its two-step safety is at most this much below the best.
    within: f64,
    two_step: TwoStepChooser,
    layouts: Layouts,
    rows: Vec<f32>,
    gains: Vec<f32>,
    of_rows: RowScratch,
    of_model: ModelScratch,
    playout: LayoutPlayout,
}

impl RankedList {
    pub fn new(model: Arc<LoadedModel>, unknown: f64, within: f64) -> Self {
        Self {
            model,
            unknown,
            within,
            two_step: TwoStepChooser::new(TwoStep::of_living_cells()),
            layouts: Layouts::default(),
            rows: Vec::new(),
            gains: Vec::new(),
            of_rows: RowScratch::default(),
            of_model: ModelScratch::default(),
            playout: LayoutPlayout::default(),
        }
    }

    /// Makes the list of a guess. Above the maximum fraction of unknown cells, returns the choice
    /// of two-step safety instead.
    pub fn fill(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        self.rows.clear();
        self.gains.clear();
        if guess.is_unknown_above(self.unknown) {
            return self.two_step.choose(guess, mine);
        }
        guess.analysis.layouts(&mut self.layouts, guess.budget)?;
        self.two_step.look(guess.analysis, mine, CANDIDATES);
        let list = self.two_step.scored();
        let least = list.first().map_or(0.0, |best| best.score) - self.within;
        let close = list.iter().take_while(|of| of.score >= least).count();
        append_rows(
            (guess.analysis, &self.layouts),
            &list[..close],
            &mut self.playout,
            &mut self.of_rows,
            &mut self.rows,
        );
        let model = &self.model.artifact.model;
        model.append(&self.rows, &mut self.gains, &mut self.of_model);
        Ok(None)
    }

    /// Returns the guesses, the best one by two-step safety first, each with its gain over the
    /// other guesses as predicted by the model, in wins.
    pub fn guesses(&self) -> impl Iterator<Item = (&Scored, f32)> {
        self.two_step
            .scored()
            .iter()
            .zip(self.gains.iter().copied())
    }

    /// Returns layouts that are consistent with the position of the guess.
    pub fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// Returns the guess with the highest gain. Ties go to the first guess.
    pub fn best(&self) -> Option<Cell> {
        let best = self
            .guesses()
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(best, _)| best.cell)
    }
}

impl Chooser for RankedList {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        match self.fill(guess, mine)? {
            None => Ok(self.best()),
            chosen => Ok(chosen),
        }
    }
}
