//! The settings of MAC-UCB and FC-UCB, as options of a recipe.

use crate::player::batches::Batches;
use mineflow_search::options::{OptionError, OptionList, Options};
use mineflow_search::scsp::Method;

/// How MAC-UCB spends its time. The usual settings are those of the player `mac-ucb`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MacUcbSettings {
    /// How the constraint network of a stage is searched.
    pub method: Method,
    /// A line goes on from a stage that has this many samples. With one, every line adds a stage, as a search in a tree does; 10,000
    /// in the paper (English paper, section 4.3, a footnote).
    pub samples: u32,
    /// The share of CPU time that solving may take of a move's solving and sampling; 0.9 in the paper.
    pub solving_share: f64,
    pub batches: Batches,
    /// A search of a stage stops after this many branchings.
    pub most_nodes: u64,
    /// So many states are kept.
    pub most_stages: usize,
    /// A playout ends without rewards after this many steps.
    pub horizon: usize,
}

impl Default for MacUcbSettings {
    fn default() -> Self {
        Self {
            method: Method::Mac,
            samples: 1,
            solving_share: 0.9,
            batches: Batches::default(),
            most_nodes: 1_000_000,
            most_stages: 1_000_000,
            horizon: 10_000,
        }
    }
}

impl MacUcbSettings {
    /// Those of the player `fc-ucb`: all of the constraint network is searched with forward checking.
    pub fn forward_checking() -> Self {
        Self {
            method: Method::ForwardChecking,
            ..Self::default()
        }
    }
}

impl Options for MacUcbSettings {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        list.number("samples", &mut self.samples, 1..=1_000_000_000)?;
        list.number("solving-share", &mut self.solving_share, 0.0..=1.0)?;
        self.batches.list(list)
    }
}
