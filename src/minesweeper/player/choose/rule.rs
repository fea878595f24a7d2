//! What makes a choosing rule.

use std::fmt::Debug;

use super::super::decision::NoMove;
use super::super::model_override::ModelOverride;
use super::super::recipe_error::RecipeError;
use super::model::LoadedModel;
use crate::features::Position;
use crate::solver::{Analysis, Budget};
use crate::{Cell, Grid};
use mineflow_rng::Rng;
use mineflow_search::options::Options;

/// A choosing rule with its options, which print with the rule in a recipe.
pub(in crate::player) trait ChoosingRule: Options + Sized {
    /// Its name in a recipe.
    const NAME: &'static str;
    /// One line of help with its options.
    const HELP: &'static str;
    /// The options that a recipe shows even where they are as usual.
    const ALWAYS_SHOWN: &'static [&'static str] = &[];
    /// Whether it needs the true posterior, and a [`Guess::analysis`] that has counted it.
    const NEEDS_POSTERIOR: bool = false;
    /// Whether it plays games out for a guess, and so takes hundreds of times as long as other rules.
    const PLAYS_OUT: bool = false;

    /// The rule with its usual options.
    fn usual() -> Self;

    /// Ends the reading of the options: loads the model that they name, or `swap` in its place.
    fn load(&mut self, _swap: Option<&ModelOverride>) -> Result<(), RecipeError> {
        Ok(())
    }

    /// Forgets under which name the model was loaded, but not the model: what prints then is the rule alone.
    fn forget_model_name(&mut self) {}

    /// Who chooses by this rule on a board.
    fn chooser(&self, grid: &Grid) -> Box<dyn Chooser>;

    /// The model that it asks, if it asks one.
    fn model(&self) -> Option<&LoadedModel> {
        None
    }
}

/// A rule at work on one board, guess after guess.
pub trait Chooser: Send + Debug {
    /// The cell to open, `None` if there is no candidate. `mine` has the probabilities of the candidates, NaN elsewhere;
    /// a certain mine is taken only where there is nothing else.
    ///
    /// # Errors
    /// Why a rule that counts on gives no move.
    ///
    /// # Panics
    /// If the position is of another board size.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove>;
}

/// What a guess is chosen from.
#[derive(Debug)]
pub struct Guess<'a> {
    pub position: &'a Position<'a>,
    /// The same position, counted.
    pub analysis: &'a mut Analysis,
    pub budget: &'a mut Budget,
    pub rng: &'a mut Rng,
}
