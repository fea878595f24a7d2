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
    /// The horizon T of the MAC-UCB paper (section 5.1), in turns from the state in which the player chooses. A line and its playout end
    /// after T turns, and a state that is not terminal is then worth 0 to every role, unless its exact value is known. In the paper T is
    /// the number of turns that UCB can sample in the deliberation time. `None` takes the horizon of the match, outside of matches
    /// [`MacUcbSettings::HORIZON`].
    pub horizon: Option<usize>,
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
            horizon: None,
        }
    }
}

impl MacUcbSettings {
    /// The horizon of a player that is given none.
    pub const HORIZON: usize = 10_000;

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
        self.batches.list(list)?;
        list.optional("horizon", &mut self.horizon, 1..=1_000_000)
            .map(|_| ())
    }
}
