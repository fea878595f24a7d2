//! Monte-Carlo tree search that selects by UCT.

use std::fmt;

use super::super::monte_carlo::SearchOptions;
use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::Cell;
use crate::features::Position;
use mineflow_rng::Rng;

/// The cell with the best playouts, selected by UCT (Kocsis and Szepesvári 2006); rewards are in 0..=1, and so is `c`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctRule {
    pub search: SearchOptions,
    pub select: mineflow_search::Uct,
}

impl ChoosingRule for UctRule {
    const NAME: &'static str = "uct";
    const HELP: &'static str = "tree search by UCT; needs posterior; [:c=0.5], else as sp-mcts without d and w";
    const DRAWS_LAYOUTS: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let c = part.take_number("c", "a number from 0 to 1000", 0.0..=1e3)?.unwrap_or(0.5);
        Ok(Self { search: SearchOptions::read(part)?, select: mineflow_search::Uct { c } })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        self.search.choose((position, mine), &chooser.layouts, self.select, rng)
    }
}

impl fmt::Display for UctRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:c={}:{}", Self::NAME, self.select.c, self.search)
    }
}
