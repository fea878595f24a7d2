//! The least P.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::Cell;
use crate::features::Position;
use mineflow_rng::Rng;

/// The least probability of a mine, ties at random: players 1.0 to 3.5 (main paper, section 4.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinP;

impl ChoosingRule for MinP {
    const NAME: &'static str = "min-p";
    const HELP: &'static str = "the least P, ties at random; [:candidates=covered|boundary|sampled]";

    fn read(_: &mut PartText<'_>) -> Result<Self, RecipeError> {
        Ok(Self)
    }

    fn choose(&self, _: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        chooser.gather(mine, 0.0);
        chooser.draw(rng)
    }
}

impl fmt::Display for MinP {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(Self::NAME)
    }
}
