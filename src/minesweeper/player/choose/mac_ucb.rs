//! UCB over the feasible cells of a stochastic constraint network (Koriche et al., "General Game Playing with Stochastic CSP", section
//! 4).

use super::super::monte_carlo::{PLAYOUTS, StageChooser, list_playouts};
use super::rule::{Chooser, ChoosingRule};
use crate::Grid;
use mineflow_search::options::{OptionError, OptionList, Options};

/// The rule that chooses the cell with the highest sample mean among those that maintaining arc consistency (MAC) finds feasible.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ByMacUcb {
    playouts: u64,
}

impl ChoosingRule for ByMacUcb {
    const NAME: &'static str = "mac-ucb";
    const HELP: &'static str = "UCB over the cells that MAC finds feasible (Koriche et al.); needs posterior; [:playouts=1000] \
                                [:candidates=covered|boundary|sampled]";
    const ALWAYS_SHOWN: &'static [&'static str] = &["playouts"];
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        Self { playouts: PLAYOUTS }
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        Box::new(StageChooser::new(self.playouts))
    }
}

impl Options for ByMacUcb {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list_playouts(&mut self.playouts, list)
    }
}
