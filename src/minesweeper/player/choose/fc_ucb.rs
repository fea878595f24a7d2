//! UCB over the cells that forward checking finds feasible.

use std::fmt;

use super::super::monte_carlo::{StageOptions, Table};
use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::minesweeper::Cell;
use crate::minesweeper::features::Position;
use crate::rng::Rng;
use crate::search::scsp::Method;

/// The cell with the best samples, FC-UCB (Koriche and others, "General Game Playing with Stochastic CSP", section 4).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FcUcb {
    pub options: StageOptions,
}

impl ChoosingRule for FcUcb {
    const NAME: &'static str = "fc-ucb";
    const HELP: &'static str =
        "UCB over the cells that forward checking finds feasible; needs posterior; options as mac-ucb";
    const DRAWS_LAYOUTS: bool = true;
    const SOLVES_STAGE: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        Ok(Self { options: StageOptions::read(part)? })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let Chooser { layouts, stage, .. } = chooser;
        self.options.choose(Table { position, mine, layouts, stage }, Method::ForwardChecking, rng)
    }
}

impl fmt::Display for FcUcb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Self::NAME, self.options)
    }
}
