//! Monte-Carlo tree search that selects by UCT.

use super::super::monte_carlo::{SearchChooser, SearchOptions};
use super::rule::{Chooser, ChoosingRule};
use crate::Grid;

use mineflow_search::options::{OptionError, OptionList, Options};

/// The cell with the best playouts, selected by UCT (Kocsis and Szepesvári 2006); rewards are in 0..=1, and so is `c`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct UctRule {
    pub search: SearchOptions,
    pub select: mineflow_search::Uct,
}

impl ChoosingRule for UctRule {
    const NAME: &'static str = "uct";
    const HELP: &'static str = "tree search by UCT; needs posterior; [:c=0.5], else as sp-mcts without d and w";
    const ALWAYS_SHOWN: &'static [&'static str] = &["c", "playouts", "ms", "t"];
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        Self { search: SearchOptions::default(), select: mineflow_search::Uct { c: 0.5 } }
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        Box::new(SearchChooser::new(self.search, self.select))
    }
}

impl Options for UctRule {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("c", &mut self.select.c, 0.0..=1e3)?;
        self.search.list(list)
    }
}
