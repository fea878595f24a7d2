//! Evaluates guesses by roll-outs, with a ranker's prediction as the prior.

use std::{fmt, str::FromStr, sync::Arc};

use super::{
    super::{decision::NoMove, recipe_error::RecipeError},
    chooser::{Chooser, Guess},
    model::LoadedModel,
    ranked_list::{RankedList, UNKNOWN, WITHIN},
};
use crate::{
    Cell,
    ahead::{Arm, LayoutPlayout, RollOuts, Teacher},
    features::guess_v2::CANDIDATES,
};
use mineflow_search::options::{OptionList, OptionText, Options, changes_and};

/// The default weight of a ranker's prediction, in layouts.
pub(super) const WEIGHT: u32 = 100;

/// The name of the rule in a recipe.
pub(super) const NAME: &str = "roll-outs";
/// The options that a recipe shows even if they have their default values.
pub(super) const ALWAYS_SHOWN: &[&str] = &["layouts", "arms", "unknown", "endgame", "player"];

impl Options for RollOuts {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        list.number("layouts", &mut self.layouts, 1..=100_000);
        list.number("arms", &mut self.arms, 2..=CANDIDATES);
        list.number("unknown", &mut self.unknown, 0.0..=1.0);
        list.number("endgame", &mut self.endgame, 1..=60_000);
        list.number("looks", &mut self.looks, 0..=1_000);
        list.text("player", &mut self.guesser, "least-mine or two-step");
    }
}

/// The chooser of [`Rule::RollOuts`](super::Rule::RollOuts).
#[derive(Debug)]
pub(super) struct RollOutChooser {
    roll_outs: RollOuts,
    list: RankedList,
    /// The number of layouts that the ranker's prediction counts as.
    weight: f64,
    /// The maximum difference, in wins, between the highest predicted gain and the predicted gain
    /// of a guess that is tried.
    within: f64,
    playout: LayoutPlayout,
}

impl RollOutChooser {
    /// Creates a chooser whose ranker has default options, except that it ranks wherever roll-outs
    /// are made.
    pub fn new(roll_outs: RollOuts, model: Arc<LoadedModel>, weight: u32, within: f64) -> Self {
        Self {
            roll_outs,
            list: RankedList::new(model, roll_outs.unknown.max(UNKNOWN), WITHIN),
            weight: f64::from(weight),
            within,
            playout: LayoutPlayout::default(),
        }
    }
}

impl Chooser for RollOutChooser {
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove> {
        if let Some(chosen) = self.list.fill(guess, mine)? {
            return Ok(Some(chosen));
        }
        if guess.is_unknown_above(self.roll_outs.unknown) {
            return Ok(self.list.best());
        }
        let guesses = || self.list.guesses().map(|(of, gain)| (of, f64::from(gain)));
        let most = guesses().fold(f64::NEG_INFINITY, |most, (_, gain)| most.max(gain));
        let arms = guesses()
            .filter(|&(_, gain)| gain >= most - self.within)
            .map(|(of, gain)| Arm::new(of.cell, 1.0 - mine[of.cell.index()]).expecting(gain))
            .take(self.roll_outs.arms)
            .collect();
        Ok(self.roll_outs.best(
            (guess.analysis, self.list.layouts()),
            arms,
            self.weight,
            &mut self.playout,
            guess.rng,
        ))
    }
}

impl Options for Teacher {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        self.roll_outs.list(list);
        list.number("more", &mut self.more, 0..=100_000);
    }
}

/// Formats the teacher like the roll-outs rule in a recipe, with the extra option `more`.
impl fmt::Display for Teacher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = changes_and(self, &Self::default(), ALWAYS_SHOWN);
        write!(f, "{NAME}{changes}")
    }
}

impl FromStr for Teacher {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let mut part = OptionText::split(text)?;
        if part.name() != NAME {
            return Err(RecipeError::UnknownPart {
                part: part.name().to_owned(),
                parts: vec![NAME],
            });
        }
        let mut read = Self::default();
        part.read_into(&mut read)?;
        part.finish()?;
        Ok(read)
    }
}
