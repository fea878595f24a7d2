//! Monte-Carlo tree search that selects by equation 1 of the SP-MCTS paper.

use std::fmt;

use super::super::monte_carlo::SearchOptions;
use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::Cell;
use crate::features::Position;
use mineflow_rng::Rng;
use mineflow_search::SpUct;

/// The cell with the best playouts, selected by equation 1; rewards are in 0..=1, and so are `c` and `d`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpMctsRule {
    pub search: SearchOptions,
    pub select: SpUct,
}

impl ChoosingRule for SpMctsRule {
    const NAME: &'static str = "sp-mcts";
    const HELP: &'static str = "tree search by equation 1 of the SP-MCTS paper; needs posterior; \
                                [:playouts=1000|:ms=50] [:c=0.5] [:d=0] [:w=0] [:t=0] [:margin=0.05] [:arms=8] \
                                [:width=3] [:risk=exact|drawn] [:final=highest-mean|most-playouts|top-score] \
                                [:lead=0] [:candidates=covered|boundary|sampled]";
    const DRAWS_LAYOUTS: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let c = part.take_number("c", "a number from 0 to 1000", 0.0..=1e3)?.unwrap_or(0.5);
        let d = part.take_number("d", "a number from 0 to 1000", 0.0..=1e3)?.unwrap_or(0.0);
        let w = part.take_share("w")?.unwrap_or(0.0);
        Ok(Self { search: SearchOptions::read(part)?, select: SpUct { c, d, w, ..SpUct::default() } })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        self.search.choose((position, mine), &chooser.layouts, self.select, rng)
    }
}

impl fmt::Display for SpMctsRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SpUct { c, d, w, .. } = self.select;
        write!(f, "{}:c={c}:d={d}", Self::NAME)?;
        if w != 0.0 {
            write!(f, ":w={w}")?;
        }
        write!(f, ":{}", self.search)
    }
}
