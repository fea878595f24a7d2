//! Monte-Carlo tree search that selects by equation 1 of the SP-MCTS paper.

use super::super::monte_carlo::{SearchChooser, SearchOptions};
use super::rule::{Chooser, ChoosingRule};
use crate::Grid;
use mineflow_search::SpUct;
use mineflow_search::options::{OptionError, OptionList, Options};

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
    const ALWAYS_SHOWN: &'static [&'static str] = &["c", "d", "playouts", "ms", "t"];
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        let select = SpUct { c: 0.5, d: 0.0, w: 0.0, ..SpUct::default() };
        Self { search: SearchOptions::default(), select }
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        Box::new(SearchChooser::new(self.search, self.select))
    }
}

impl Options for SpMctsRule {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("c", &mut self.select.c, 0.0..=1e3)?;
        list.number("d", &mut self.select.d, 0.0..=1e3)?;
        list.number("w", &mut self.select.w, 0.0..=1.0)?;
        self.search.list(list)
    }
}
