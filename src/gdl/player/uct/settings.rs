//! The settings of UCT, as options of a recipe.

use mineflow_search::options::{OptionList, Options};

/// The default maximum number of states in a tree.
const MOST_NODES: usize = 1_000_000;

/// Settings of UCT. The defaults are those of the player `uct`.
#[derive(Clone, PartialEq, Debug)]
pub struct UctSettings {
    /// The upper bound of an arm is its mean plus the square root of `explore ln N / n`; `explore`
    /// is 2 in UCB1.
    pub explore: f64,
    /// The maximum number of states in the tree.
    pub most_nodes: usize,
}

impl Default for UctSettings {
    fn default() -> Self {
        Self {
            explore: 2.0,
            most_nodes: MOST_NODES,
        }
    }
}

impl Options for UctSettings {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        list.number("explore", &mut self.explore, 0.0..=1000.0);
    }
}
