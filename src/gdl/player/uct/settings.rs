//! The settings of UCT, as options of a recipe.

use crate::player::YES_OR_NO;
use crate::player::batches::Batches;
use crate::player::grave::MOST_NODES_WITH_TABLES;
use mineflow_search::options::{OptionError, OptionList, Options};

/// States that a tree may hold.
const MOST_NODES: usize = 1_000_000;

/// How UCT grows its tree and what it takes for the value of an action. The usual settings are those of the player `uct`.
#[derive(Clone, PartialEq, Debug)]
pub struct UctSettings {
    /// The bound of an arm is its mean and the root of `explore ln N / n`; 2 in UCB1.
    pub explore: f64,
    /// Whether a state has one place in the tree, whichever way it was reached, or one for each way.
    pub transpositions: bool,
    /// Whether the tree serves the later moves of a match.
    pub keep_tree: bool,
    /// Whether the cache of explored leaves is asked and filled.
    pub cache: bool,
    /// Whether the cache takes a state for explored as soon as the role that moves has an action worth the highest reward.
    pub proofs: bool,
    /// Proven bounds are backed up in the tree; see `uct::proof`. It does nothing where there are not two players, or
    /// where their goals don't always have the same sum.
    pub solver: bool,
    /// GRAVE: a state borrows the statistics of its nearest ancestor with more playouts than this. 0 leaves UCT as it is.
    pub grave: u32,
    pub batches: Batches,
    /// States that the tree may hold.
    pub most_nodes: usize,
}

impl Default for UctSettings {
    fn default() -> Self {
        Self {
            explore: 2.0,
            transpositions: true,
            keep_tree: true,
            cache: true,
            proofs: false,
            solver: false,
            grave: 0,
            batches: Batches::default(),
            most_nodes: MOST_NODES,
        }
    }
}

impl UctSettings {
    /// States that the tree may hold with what each of them keeps.
    pub(super) fn room(&self) -> usize {
        if self.grave > 0 { self.most_nodes.min(MOST_NODES_WITH_TABLES) } else { self.most_nodes }
    }

    /// What of the settings does not go together.
    pub fn contradiction(&self) -> Option<&'static str> {
        let has_no_effect = self.proofs && (self.solver || !self.cache);
        let said =
            "proofs=yes settles states in the cache, which cache=no and solver=yes leave out; leave one of them away";
        has_no_effect.then_some(said).or_else(|| self.batches.contradiction())
    }
}

impl Options for UctSettings {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("explore", &mut self.explore, 0.0..=1000.0)?;
        list.choice("transpositions", &mut self.transpositions, &YES_OR_NO)?;
        list.choice("keep-tree", &mut self.keep_tree, &YES_OR_NO)?;
        list.choice("cache", &mut self.cache, &YES_OR_NO)?;
        list.choice("proofs", &mut self.proofs, &YES_OR_NO)?;
        list.choice("solver", &mut self.solver, &YES_OR_NO)?;
        list.number("grave", &mut self.grave, 0..=1_000_000)?;
        self.batches.list(list)
    }
}
