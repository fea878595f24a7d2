//! UCB over candidate cells (Koriche et al., "General Game Playing with Stochastic CSP", section
//! 4).

use super::super::monte_carlo::{MonteCarlo, PLAYOUTS, Sampling, list_playouts};
use super::super::recipe::REVISION;
use super::rule::{Chooser, ChoosingRule};
use crate::Grid;
use mineflow_search::options::{OptionError, OptionList, Options};

/// The rule that chooses the cell with the highest sample mean among those that the solver left
/// open.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ByMacUcb {
    playouts: u64,
}

impl ChoosingRule for ByMacUcb {
    const NAME: &'static str = "mac-ucb";
    const HELP: &'static str = "UCB over the cells left open (Koriche et al.); needs posterior; [:playouts=1000] \
                                [:candidates=covered|sampled]";
    const ALWAYS_SHOWN: &'static [&'static str] = &["playouts"];
    /// Revision 2 samples the candidates of `sp-mcts`, without pooled means and without solving a
    /// second stage.
    const REVISION: u32 = REVISION + 1;
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        Self { playouts: PLAYOUTS }
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        Box::new(MonteCarlo::new(self.playouts, Sampling::Bandit))
    }
}

impl Options for ByMacUcb {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list_playouts(&mut self.playouts, list)
    }
}
