//! Roll-outs as a rule, alone or on top of what a ranker expects.

use std::fmt;
use std::str::FromStr;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::learned::Learned;
use super::ranker::RankerModel;
use super::rule::ChoosingRule;
use crate::Cell;
use crate::ahead::{Arm, RollOuts, TwoStep};
use crate::features::Position;
use mineflow_rng::Rng;

/// Layouts that a ranker's word counts as, where none are given.
const WEIGHT: u32 = 100;

/// The guess that does best in roll-outs.
#[derive(Clone, PartialEq, Debug)]
pub struct ByRollOuts {
    pub roll_outs: RollOuts,
    /// A ranker, and the number of layouts that its expectation counts as.
    prior: Option<(Learned<RankerModel>, u32)>,
}

/// Takes the options of roll-outs.
fn read_roll_outs(part: &mut PartText<'_>) -> Result<RollOuts, RecipeError> {
    let usual = RollOuts::default();
    Ok(RollOuts {
        layouts: part.take_number("layouts", "a whole number from 1 to 100000", 1..=100_000)?.unwrap_or(usual.layouts),
        arms: part.take_number("arms", "a whole number from 2 to 30", 2..=30)?.unwrap_or(usual.arms),
        unknown: part.take_share("unknown")?.unwrap_or(usual.unknown),
        endgame: part.take_number("endgame", "a whole number from 1 to 60000", 1..=60_000)?.unwrap_or(usual.endgame),
        guesser: part.take("player", "least-mine or two-step", |value| value.parse().ok())?.unwrap_or(usual.guesser),
    })
}

impl ChoosingRule for ByRollOuts {
    const NAME: &'static str = "roll-outs";
    const HELP: &'static str = "the best guesses of two-step, played to the end on layouts that fit; needs posterior; \
                                [:layouts=48] [:arms=6] [:unknown=0.5] [:endgame=100] [:player=least-mine|two-step] \
                                [:model=FILE of a ranker] [:weight=100] [:candidates=covered|boundary|sampled]";
    const DRAWS_LAYOUTS: bool = true;
    const LOOKS_AHEAD: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let roll_outs = read_roll_outs(part)?;
        if !part.has("model") {
            return Ok(Self { roll_outs, prior: None });
        }
        let weight = part.take_number("weight", "a whole number from 0 to 1000000", 0..=1_000_000)?;
        Ok(Self { roll_outs, prior: Some((Learned::read_model(part)?, weight.unwrap_or(WEIGHT))) })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let Self { roll_outs, prior } = self;
        let unknown = chooser.parent.unknown();
        if unknown as f64 > roll_outs.unknown * position.view.board().cells() as f64 {
            return TwoStep::default().choose(position, mine, chooser, rng);
        }
        let Chooser { parent, looking, layouts, roll_out, ranking, .. } = chooser;
        TwoStep::default().look(parent, mine, roll_outs.arms, looking);
        let arm = |cell: Cell| Arm::new(cell, 1.0 - mine[cell.index()]);
        let mut arms: Vec<Arm> = looking.scored.iter().map(|best| arm(best.cell)).collect();
        let mut weight = 0.0;
        if let Some((ranker, layouts_of_prior)) = prior {
            let gains = ranking.ask(ranker.asked(), (position.view, parent, layouts), &looking.scored, roll_out);
            arms.iter_mut().zip(gains).for_each(|(arm, &gain)| *arm = arm.expecting(gain.into()));
            weight = f64::from(*layouts_of_prior);
        }
        roll_outs.best((parent, layouts), arms, weight, roll_out, rng)
    }

    fn model_hash(&self) -> Option<&str> {
        self.prior.as_ref().map(|(ranker, _)| ranker.sha256())
    }
}

impl fmt::Display for ByRollOuts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.roll_outs.fmt(f)?;
        let Some((ranker, weight)) = &self.prior else { return Ok(()) };
        write!(f, ":{}:weight={weight}", ranker.options())
    }
}

/// As in a recipe.
impl fmt::Display for RollOuts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layouts, arms, unknown, endgame, guesser } = self;
        write!(f, "{}:layouts={layouts}:arms={arms}:unknown={unknown}", ByRollOuts::NAME)?;
        write!(f, ":endgame={endgame}:player={guesser}")
    }
}

impl FromStr for RollOuts {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut part = PartText::split(text, None)?;
        if part.name() != ByRollOuts::NAME {
            return Err(RecipeError::UnknownPart { part: part.name().to_owned(), parts: vec![ByRollOuts::NAME] });
        }
        let read = read_roll_outs(&mut part)?;
        part.finish()?;
        Ok(read)
    }
}
