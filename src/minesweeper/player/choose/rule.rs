//! What makes a choosing rule.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use crate::Cell;
use crate::features::Position;
use mineflow_rng::Rng;

/// What a choosing rule has to say about itself.
pub(in crate::player) trait ChoosingRule: Sized + fmt::Display {
    /// Its name in a recipe; what it prints begins so.
    const NAME: &'static str;
    /// One line of help with its options.
    const HELP: &'static str;

    /// Takes its options.
    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError>;

    /// The cell to open, `None` if there is no candidate. `mine` has the probabilities of the candidates, NaN elsewhere;
    /// a certain mine is taken only where there is nothing else. `chooser` is made for the position's board.
    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell>;

    /// Whether it draws layouts from the true posterior; [`Chooser::layouts`] then has those of the position.
    const DRAWS_LAYOUTS: bool = false;

    /// Whether it supposes moves and counts again; [`Chooser::parent`] then is the position, counted.
    const LOOKS_AHEAD: bool = false;

    /// Whether it solves the position as a stage of a stochastic constraint network; [`Chooser::stage`] then is that.
    const SOLVES_STAGE: bool = false;

    /// The hash of the content of the model that it asks, if it asks one.
    fn model_hash(&self) -> Option<&str> {
        None
    }
}
