//! Roll-outs as a rule, alone or on top of what a ranker expects.

use std::fmt;
use std::str::FromStr;

use super::super::decision::NoMove;
use super::super::recipe_error::RecipeError;
use super::super::swap::Swap;
use super::model::{AskedModel, NamedModel};
use super::ranker::RankerModel;
use super::ranking::Ranking;
use super::rule::{Chooser, ChoosingRule, Guess};
use super::short_list::ShortList;
use crate::ahead::{Arm, LayoutPlayout, RollOuts, Scored, Teacher, TwoStep};
use crate::{Cell, Grid};
use mineflow_search::options::{OptionError, OptionList, OptionText, Options, changes_and};

/// Layouts that a ranker's word counts as, where none are given.
const WEIGHT: u32 = 100;

/// The guess that does best in roll-outs.
#[derive(Clone, PartialEq, Debug)]
pub struct ByRollOuts {
    pub roll_outs: RollOuts,
    /// A ranker, asked only where it is named; and the number of layouts that its expectation counts as.
    ranker: NamedModel<RankerModel>,
    weight: Option<u32>,
    /// How much less than the best a guess may be expected to gain and be tried all the same, in wins; all are where it isn't given.
    within: Option<f64>,
}

impl ChoosingRule for ByRollOuts {
    const NAME: &'static str = "roll-outs";
    const HELP: &'static str = "the best guesses of two-step, played to the end on layouts that fit; needs posterior; \
                                [:layouts=48] [:arms=6] [:unknown=0.5] [:endgame=100] [:looks=0] [:player=least-mine|two-step] \
                                [:model=FILE of a ranker] [:weight=100] [:within=1] [:candidates=covered|boundary|sampled]";
    const ALWAYS_SHOWN: &'static [&'static str] = &["layouts", "arms", "unknown", "endgame", "player"];
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        Self { roll_outs: RollOuts::default(), ranker: NamedModel::published(), weight: None, within: None }
    }

    fn load(&mut self, swap: Option<&Swap>) -> Result<(), RecipeError> {
        match (self.ranker.is_named(), self.weight) {
            (true, weight) => {
                self.weight = weight.or(Some(WEIGHT));
                self.ranker.load(Self::NAME, swap)
            }
            (false, None) if self.within.is_none() => Ok(()),
            (false, _) => {
                let name = Self::NAME.to_owned();
                Err(OptionError::Missing { name, key: "model", expected: "the file of a ranker" }.into())
            }
        }
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        let Self { roll_outs, ranker, weight, within } = self;
        let prior = weight.map(|weight| Prior {
            ranking: Ranking::new(ranker.loaded().clone()),
            weight: f64::from(weight),
            within: within.unwrap_or(1.0),
        });
        let rule = prior.as_ref().map_or_else(TwoStep::default, |prior| prior.ranking.set().two_step());
        let list = ShortList::new(rule, roll_outs.unknown, roll_outs.arms);
        Box::new(RollOutChooser { roll_outs: *roll_outs, list, prior, playout: LayoutPlayout::default() })
    }

    fn model(&self) -> Option<&AskedModel> {
        self.weight.map(|_| &**self.ranker.loaded())
    }
}

impl Options for ByRollOuts {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.roll_outs.list(list)?;
        self.ranker.list(list)?;
        list.optional("weight", &mut self.weight, 0..=1_000_000)?;
        list.optional("within", &mut self.within, 0.0..=1.0).map(|_| ())
    }
}

impl Options for RollOuts {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("layouts", &mut self.layouts, 1..=100_000)?;
        list.number("arms", &mut self.arms, 2..=30)?;
        list.number("unknown", &mut self.unknown, 0.0..=1.0)?;
        list.number("endgame", &mut self.endgame, 1..=60_000)?;
        list.number("looks", &mut self.looks, 0..=1_000)?;
        list.text("player", &mut self.guesser, "least-mine or two-step")
    }
}

#[derive(Debug)]
struct RollOutChooser {
    roll_outs: RollOuts,
    list: ShortList,
    prior: Option<Prior>,
    playout: LayoutPlayout,
}

/// What a ranker expects.
#[derive(Debug)]
struct Prior {
    ranking: Ranking,
    /// How many layouts that counts as.
    weight: f64,
    /// How much less than the best a guess may be expected to gain and be tried.
    within: f64,
}

impl Chooser for RollOutChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let Self { roll_outs, list, prior, playout } = self;
        list.choose(guess, mine, |guess, scored, layouts| {
            let arm = |best: &Scored| Arm::new(best.cell, 1.0 - mine[best.cell.index()]);
            let mut arms: Vec<Arm> = scored.iter().map(arm).collect();
            let mut weight = 0.0;
            if let Some(prior) = prior {
                let gains = prior.ranking.ask((guess.analysis, layouts), scored);
                let least = f64::from(gains.iter().copied().fold(f32::NEG_INFINITY, f32::max)) - prior.within;
                let expected = arms.into_iter().zip(gains.iter().map(|&gain| f64::from(gain)));
                let close = expected.filter(|&(_, gain)| gain >= least);
                arms = close.map(|(arm, gain)| arm.expecting(gain)).collect();
                weight = prior.weight;
            }
            roll_outs.best((guess.analysis, layouts), arms, weight, playout, guess.rng)
        })
    }
}

impl Options for Teacher {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.roll_outs.list(list)?;
        list.number("more", &mut self.more, 0..=100_000)
    }
}

/// As roll-outs in a recipe, with `more`.
impl fmt::Display for Teacher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", ByRollOuts::NAME, changes_and(self, &Self::default(), ByRollOuts::ALWAYS_SHOWN))
    }
}

impl FromStr for Teacher {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut part = OptionText::split(text)?;
        if part.name() != ByRollOuts::NAME {
            return Err(RecipeError::UnknownPart { part: part.name().to_owned(), parts: vec![ByRollOuts::NAME] });
        }
        let mut read = Self::default();
        part.read_into(&mut read)?;
        part.finish()?;
        Ok(read)
    }
}
