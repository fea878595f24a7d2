//! The traits of a choosing rule.

use std::fmt::Debug;

use super::super::decision::NoMove;
use super::super::model_override::ModelOverride;
use super::super::recipe::REVISION;
use super::super::recipe_error::RecipeError;
use super::model::NamedModel;
use crate::features::Position;
use crate::solver::{Analysis, Budget};
use crate::{Cell, Grid};
use mineflow_rng::Rng;
use mineflow_search::options::Options;

/// A choosing rule with its options, which are printed with the rule in a recipe.
pub(in crate::player) trait ChoosingRule: Options + Sized {
    /// The name of the rule in a recipe.
    const NAME: &'static str;
    /// The help line, which lists the options.
    const HELP: &'static str;
    /// The options that a recipe shows even if they have their default values.
    const ALWAYS_SHOWN: &'static [&'static str] = &[];
    /// Whether the rule needs the posterior. [`Guess::analysis`] then holds its probabilities.
    const NEEDS_POSTERIOR: bool = false;
    /// The revision of players with this rule. Raise it in any commit that changes the moves of
    /// this rule alone.
    const REVISION: u32 = REVISION;
    /// Whether the rule evaluates guesses by playouts, which takes hundreds of times as long as the
    /// rule of player 7.0.
    const PLAYS_OUT: bool = false;

    /// Returns the rule with default options.
    fn usual() -> Self;

    /// Returns the rule's model, or `None` if the rule has none.
    fn model(&self) -> Option<&NamedModel> {
        None
    }

    /// Returns the rule's model, or `None` if the rule has none.
    fn model_mut(&mut self) -> Option<&mut NamedModel> {
        None
    }

    /// Completes and checks the options: loads the model that they name, or `swap` in its place.
    fn load(&mut self, swap: Option<&ModelOverride>) -> Result<(), RecipeError> {
        self.model_mut()
            .map_or(Ok(()), |model| model.load(Self::NAME, swap))
    }

    /// Builds the chooser for a board.
    fn chooser(&self, grid: &Grid) -> Box<dyn Chooser>;
}

/// A chooser applies a rule to successive guesses on one board.
pub trait Chooser: Send + Debug {
    /// Returns the cell to open, or `None` if there is no candidate. `mine` holds the mine
    /// probabilities of the candidates, and NaN for all other cells. A cell whose mine probability
    /// is 1 is chosen only if there is no other candidate.
    ///
    /// # Errors
    /// Returns the reason if counting layouts fails.
    ///
    /// # Panics
    /// Panics if the position's board size differs from the chooser's.
    fn choose(&mut self, guess: &mut Guess<'_>, mine: &[f64]) -> Result<Option<Cell>, NoMove>;
}

/// The position of a guess and the resources to choose from it.
#[derive(Debug)]
pub struct Guess<'a> {
    pub position: &'a Position<'a>,
    /// The analysis of the same position. Its probabilities have been computed if the rule needs
    /// the posterior.
    pub analysis: &'a mut Analysis,
    pub budget: &'a mut Budget,
    pub rng: &'a mut Rng,
}

impl Guess<'_> {
    /// Returns whether more than this fraction of the board's cells is unknown.
    pub(super) fn is_unknown_above(&self, fraction: f64) -> bool {
        let cells = self.position.view.board().cells();
        self.analysis.unknown() as f64 > fraction * cells as f64
    }
}
