//! The settings of UCT, as options of a recipe.

use crate::player::batches::Batches;
use mineflow_search::options::{OptionError, OptionList, Options};

/// States that a tree may hold.
const MOST_NODES: usize = 1_000_000;

/// How UCT samples. The usual settings are those of the player `uct`.
#[derive(Clone, PartialEq, Debug)]
pub struct UctSettings {
    /// The bound of an arm is its mean and the root of `explore ln N / n`; 2 in UCB1.
    pub explore: f64,
    pub batches: Batches,
    /// States that the tree may hold.
    pub most_nodes: usize,
}

impl Default for UctSettings {
    fn default() -> Self {
        Self {
            explore: 2.0,
            batches: Batches::default(),
            most_nodes: MOST_NODES,
        }
    }
}

impl Options for UctSettings {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("explore", &mut self.explore, 0.0..=1000.0)?;
        self.batches.list(list)
    }
}
