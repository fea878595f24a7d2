//! The settings of MAC-UCB and FC-UCB, as options of a recipe.

use mineflow_search::{
    options::{OptionList, Options},
    scsp::Method,
};

/// Settings of MAC-UCB. The defaults are those of the player `mac-ucb`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MacUcbSettings {
    /// How the constraint network of a stage is searched.
    pub method: Method,
    /// The number of samples of a stage after which lines continue beyond it. With 1, every line
    /// adds a stage, as in tree search. Koriche et al. use 10,000 (MAC-UCB, section 4.3, a
    /// footnote).
    pub samples: u32,
    /// The share of a move's CPU time that may be spent on solving; the rest is for sampling.
    /// Koriche et al. use 0.9.
    pub solving_share: f64,
    /// The maximum number of branchings in one search of a stage.
    pub most_nodes: u64,
    /// The maximum number of nodes that are stored.
    pub most_stages: usize,
    /// The horizon T of Koriche et al. (MAC-UCB, section 5.1), in turns from the state in which the
    /// player chooses. A line and its playout end after T turns. A nonterminal state at the horizon
    /// is worth 0 to every role, unless its exact value is known. In Koriche et al., T is the
    /// number of turns that UCB can sample in the deliberation time. `None` stands for the horizon
    /// of the match, or for [`MacUcbSettings::HORIZON`] outside matches.
    pub horizon: Option<usize>,
}

impl Default for MacUcbSettings {
    fn default() -> Self {
        Self {
            method: Method::Mac,
            samples: 1,
            solving_share: 0.9,
            most_nodes: 1_000_000,
            most_stages: 1_000_000,
            horizon: None,
        }
    }
}

impl MacUcbSettings {
    /// The default horizon outside matches, in turns.
    pub const HORIZON: usize = 10_000;

    /// Returns the settings of the player `fc-ucb`: forward checking searches the whole constraint
    /// network.
    pub fn forward_checking() -> Self {
        Self {
            method: Method::ForwardChecking,
            ..Self::default()
        }
    }
}

impl Options for MacUcbSettings {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        list.number("samples", &mut self.samples, 1..=1_000_000_000);
        list.number("solving-share", &mut self.solving_share, 0.0..=1.0);
        list.optional("horizon", &mut self.horizon, 1..=1_000_000);
    }
}
