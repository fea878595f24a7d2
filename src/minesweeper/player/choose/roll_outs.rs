//! A rule that evaluates guesses by roll-outs, with a ranker's prediction as the prior.

use std::fmt;
use std::str::FromStr;

use super::super::decision::NoMove;
use super::super::recipe_error::RecipeError;
use super::model::NamedModel;
use super::ranker::{RankedList, RankerModel, best};
use super::rule::{Chooser, ChoosingRule, Guess};
use crate::ahead::{Arm, LayoutPlayout, RollOuts, Scored, Teacher};
use crate::features::guess_v2::CANDIDATES;
use crate::{Cell, Grid};
use mineflow_search::options::{OptionError, OptionList, OptionText, Options, changes_and};

/// The default weight of a ranker's prediction, in layouts.
const WEIGHT: u32 = 100;

/// The rule that chooses the guess with the best result in roll-outs. If more than the fraction
/// `roll_outs.unknown` of the cells is unknown, the ranker alone chooses. Above the ranker's own
/// maximum fraction, two-step safety chooses.
#[derive(Clone, PartialEq, Debug)]
pub struct ByRollOuts {
    pub roll_outs: RollOuts,
    /// The ranker that predicts the prior; `weight` is the number of layouts that its prediction
    /// counts as.
    ranker: NamedModel,
    weight: u32,
    /// The maximum difference, in wins, between the highest predicted gain and the predicted gain
    /// of a guess that is tried.
    within: f64,
}

impl ChoosingRule for ByRollOuts {
    const NAME: &'static str = "roll-outs";
    const HELP: &'static str = "guesses at most `within` below the ranker's best, evaluated by roll-outs; above `unknown` the ranker's best; needs posterior; \
                                [:layouts=48] [:arms=6] [:unknown=0.5] [:endgame=100] [:looks=0] [:player=least-mine|two-step] \
                                [:model=FILE of a ranker] [:weight=100] [:within=1] \
                                [:candidates=covered|sampled]";
    const ALWAYS_SHOWN: &'static [&'static str] =
        &["layouts", "arms", "unknown", "endgame", "player"];
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        Self {
            roll_outs: RollOuts::default(),
            ranker: NamedModel::published::<RankerModel>(),
            weight: WEIGHT,
            within: 1.0,
        }
    }

    fn model(&self) -> Option<&NamedModel> {
        Some(&self.ranker)
    }

    fn model_mut(&mut self) -> Option<&mut NamedModel> {
        Some(&mut self.ranker)
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        let Self {
            roll_outs,
            ranker,
            weight,
            within,
        } = self;
        Box::new(RollOutChooser {
            roll_outs: *roll_outs,
            list: RankedList::usual(ranker.loaded().clone(), roll_outs.unknown),
            weight: f64::from(*weight),
            within: *within,
            playout: LayoutPlayout::default(),
        })
    }
}

impl Options for ByRollOuts {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.roll_outs.list(list)?;
        self.ranker.list(list)?;
        list.number("weight", &mut self.weight, 0..=1_000_000)?;
        list.number("within", &mut self.within, 0.0..=1.0)
    }
}

impl Options for RollOuts {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("layouts", &mut self.layouts, 1..=100_000)?;
        list.number("arms", &mut self.arms, 2..=CANDIDATES)?;
        list.number("unknown", &mut self.unknown, 0.0..=1.0)?;
        list.number("endgame", &mut self.endgame, 1..=60_000)?;
        list.number("looks", &mut self.looks, 0..=1_000)?;
        list.text("player", &mut self.guesser, "least-mine or two-step")
    }
}

#[derive(Debug)]
struct RollOutChooser {
    roll_outs: RollOuts,
    list: RankedList,
    /// The number of layouts that the ranker's prediction counts as.
    weight: f64,
    /// The maximum difference, in wins, between the highest predicted gain and the predicted gain
    /// of a guess that is tried.
    within: f64,
    playout: LayoutPlayout,
}

impl Chooser for RollOutChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        let Self {
            roll_outs,
            list,
            weight,
            within,
            playout,
        } = self;
        list.choose(guess, mine, |guess, scored, gains, layouts| {
            if guess.is_unknown_above(roll_outs.unknown) {
                return best(scored, gains);
            }
            let least =
                f64::from(gains.iter().copied().fold(f32::NEG_INFINITY, f32::max)) - *within;
            let expected = scored.iter().zip(gains.iter().map(|&gain| f64::from(gain)));
            let close = expected.filter(|&(_, gain)| gain >= least);
            let arm = |(of, gain): (&Scored, f64)| {
                Arm::new(of.cell, 1.0 - mine[of.cell.index()]).expecting(gain)
            };
            let arms: Vec<Arm> = close.map(arm).take(roll_outs.arms).collect();
            roll_outs.best((guess.analysis, layouts), arms, *weight, playout, guess.rng)
        })
    }
}

impl Options for Teacher {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.roll_outs.list(list)?;
        list.number("more", &mut self.more, 0..=100_000)
    }
}

/// Formats the teacher like the roll-outs rule in a recipe, with the extra option `more`.
impl fmt::Display for Teacher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            ByRollOuts::NAME,
            changes_and(self, &Self::default(), ByRollOuts::ALWAYS_SHOWN)
        )
    }
}

impl FromStr for Teacher {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut part = OptionText::split(text)?;
        if part.name() != ByRollOuts::NAME {
            return Err(RecipeError::UnknownPart {
                part: part.name().to_owned(),
                parts: vec![ByRollOuts::NAME],
            });
        }
        let mut read = Self::default();
        part.read_into(&mut read)?;
        part.finish()?;
        Ok(read)
    }
}
