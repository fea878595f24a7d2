//! The traits of a choosing rule.

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

/// A choosing rule with its options, which are printed with the rule in a recipe.
pub(in crate::player) trait ChoosingRule: Options + Sized {
    /// The name of the rule in a recipe.
    const NAME: &'static str;
    /// A help line with the options.
    const HELP: &'static str;
    /// The options that a recipe shows even if they have their defaults.
    const ALWAYS_SHOWN: &'static [&'static str] = &[];
    /// Whether the rule needs the posterior, already counted in [`Guess::analysis`].
    const NEEDS_POSTERIOR: bool = false;
    /// Whether the rule plays games out for a guess, which takes hundreds of times as long as other rules.
    const PLAYS_OUT: bool = false;

    /// The rule with default options.
    fn usual() -> Self;

    /// Completes the options: loads the model that they name, or `swap` in its place.
    fn load(&mut self, _swap: Option<&ModelOverride>) -> Result<(), RecipeError> {
        Ok(())
    }

    /// Forgets the name under which the model was loaded, but not the model, so that the rule prints without it.
    fn forget_model_name(&mut self) {}

    /// Builds the chooser for a board.
    fn chooser(&self, grid: &Grid) -> Box<dyn Chooser>;

    /// The rule's model, if it has one.
    fn model(&self) -> Option<&LoadedModel> {
        None
    }
}

/// Applies a rule to successive guesses on one board.
pub trait Chooser: Send + Debug {
    /// Returns the cell to open, or `None` if there is no candidate. `mine` holds the probabilities of the candidates, NaN elsewhere; a
    /// certain mine is chosen only if there is nothing else.
    ///
    /// # Errors
    /// The reason why a rule that counts layouts returns no move.
    ///
    /// # Panics
    /// If the position's board size differs from the chooser's.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove>;
}

/// The position of a guess and the resources to choose from it.
#[derive(Debug)]
pub struct Guess<'a> {
    pub position: &'a Position<'a>,
    /// The analysis of the same position, already counted.
    pub analysis: &'a mut Analysis,
    pub budget: &'a mut Budget,
    pub rng: &'a mut Rng,
}
