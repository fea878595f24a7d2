//! Monte-Carlo tree search with the selection of equation 1 of Schadd et al. (SP-MCTS).

use super::super::monte_carlo::{MonteCarlo, PLAYOUTS, Sampling, list_playouts};
use super::rule::{Chooser, ChoosingRule};
use crate::Grid;
use mineflow_search::options::{OptionError, OptionList, Options};
use mineflow_search::{Exploration, SpUct};

/// The rule that chooses the cell with the highest mean reward of a tree search whose moves are
/// selected by equation 1 of Schadd et al. Rewards are in 0..=1; `c` and `d` are on the same scale.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpMctsRule {
    playouts: u64,
    /// From this number of visits on, the moves of a position are selected by equation 1 of Schadd
    /// et al.
    threshold: u32,
    select: SpUct,
}

impl ChoosingRule for SpMctsRule {
    const NAME: &'static str = "sp-mcts";
    const HELP: &'static str = "tree search with equation 1 of Schadd et al.; needs posterior; \
                                [:playouts=1000] [:c=0.5] [:d=0] [:t=0] [:candidates=covered|sampled]";
    const ALWAYS_SHOWN: &'static [&'static str] = &["c", "d", "playouts", "t"];
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        Self {
            playouts: PLAYOUTS,
            threshold: 0,
            select: SpUct {
                explore: Exploration::Printed,
                c: 0.5,
                d: 0.0,
                w: 0.0,
            },
        }
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        let sampling = Sampling::Tree {
            select: self.select,
            threshold: self.threshold,
        };
        Box::new(MonteCarlo::new(self.playouts, sampling))
    }
}

impl Options for SpMctsRule {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("c", &mut self.select.c, 0.0..=1e3)?;
        list.number("d", &mut self.select.d, 0.0..=1e3)?;
        list_playouts(&mut self.playouts, list)?;
        list.number("t", &mut self.threshold, 0..=1_000_000)
    }
}
