//! The rule that ranks the best guesses by two-step safety with a model trained on roll-outs.

use std::sync::Arc;

use super::super::decision::NoMove;
use super::model::{LoadedModel, ModelRule, NamedModel};
use super::ranking::Ranking;
use super::rule::{Chooser, ChoosingRule, Guess};
use super::short_list::ShortList;
use crate::ahead::Scored;
use crate::features::guess_v2::CANDIDATES;
use crate::features::{GuessV2, PositionFeatures};
use crate::solver::Layouts;
use crate::{Cell, Grid};
use mineflow_search::options::{OptionError, OptionList, Options};

/// The default maximum fraction of unknown cells, as in the training data of the published model.
const UNKNOWN: f64 = 0.985;
/// The default of [`Ranker::within`]. Guesses further below the best are hardly ever chosen, and
/// leaving them out saves a fifth of a game's time.
const WITHIN: f64 = 0.07;

/// The rule that chooses, among the best guesses by two-step safety, the one with the highest gain
/// predicted by a model. Ties go to the guess that is better by two-step safety.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranker {
    model: NamedModel,
    /// The maximum fraction of unknown cells on the board; above it, two-step safety chooses.
    unknown: f64,
    /// The model ranks the guesses whose two-step safety is at most this much below the best.
    within: f64,
}

/// The [`ModelRule`] of [`Ranker`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankerModel;

impl ModelRule for RankerModel {
    const NAME: &'static str = "ranker";
    const HELP: &'static str = "the guess that boosted trees rank first among the best of two-step; needs posterior; [:model=FILE] \
                                [:unknown=0.985] [:within=0.07] [:candidates=covered|sampled]";
    const VERSION: &'static str = "11.0";
    const FEATURES: &'static dyn PositionFeatures = &GuessV2;
}

impl ChoosingRule for Ranker {
    const NAME: &'static str = RankerModel::NAME;
    const HELP: &'static str = RankerModel::HELP;
    const NEEDS_POSTERIOR: bool = true;

    fn usual() -> Self {
        Self {
            model: NamedModel::published::<RankerModel>(),
            unknown: UNKNOWN,
            within: WITHIN,
        }
    }

    fn model(&self) -> Option<&NamedModel> {
        Some(&self.model)
    }

    fn model_mut(&mut self) -> Option<&mut NamedModel> {
        Some(&mut self.model)
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        let list = ShortList::new(self.unknown, CANDIDATES, self.within);
        let ranking = Ranking::new(self.model.loaded().clone());
        Box::new(RankedList { list, ranking })
    }
}

impl Options for Ranker {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.model.list(list)?;
        list.number("unknown", &mut self.unknown, 0.0..=1.0)?;
        list.number("within", &mut self.within, 0.0..=2.0)
    }
}

/// Returns the guess with the highest gain. Ties go to the first guess.
pub(super) fn best(scored: &[Scored], gains: &[f32]) -> Option<Cell> {
    let ranked = scored.iter().zip(gains);
    let best = ranked.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(best, _)| best.cell)
}

/// The short list of a ranker, with the gain that its model predicts for each guess.
#[derive(Debug)]
pub(super) struct RankedList {
    list: ShortList,
    ranking: Ranking,
}

impl RankedList {
    /// Creates the list of a ranker with default options, except that `unknown` replaces the
    /// default maximum fraction of unknown cells if it is larger.
    pub(super) fn usual(model: Arc<LoadedModel>, unknown: f64) -> Self {
        Self {
            list: ShortList::new(unknown.max(UNKNOWN), CANDIDATES, WITHIN),
            ranking: Ranking::new(model),
        }
    }

    /// Returns the guess that `judge` chooses from the list with the predicted gains. Above the
    /// maximum fraction of unknown cells, two-step safety chooses instead of `judge`.
    pub(super) fn choose(
        &mut self,
        guess: &mut Guess<'_>,
        mine: &[f64],
        judge: impl FnOnce(&mut Guess<'_>, &[Scored], &[f32], &Layouts) -> Option<Cell>,
    ) -> Result<Option<Cell>, NoMove> {
        let Self { list, ranking } = self;
        list.choose(guess, mine, |guess, scored, layouts| {
            let gains = ranking.ask((guess.analysis, layouts), scored);
            judge(guess, scored, gains, layouts)
        })
    }
}

impl Chooser for RankedList {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        Self::choose(self, guess, mine, |_, scored, gains, _| best(scored, gains))
    }
}
