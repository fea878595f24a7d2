//! The settings of MAC-UCB, FC-UCB and our own player that joins stages, as options of a recipe.

use super::solving::ArmSource;
use crate::player::YES_OR_NO;
use crate::player::batches::Batches;
use mineflow_search::options::{OptionError, OptionList, Options};
use mineflow_search::scsp::Method;

/// How MAC-UCB spends its time. The usual settings are those of the player `mac-ucb`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MacUcbSettings {
    pub arms: ArmSource,
    /// Whether a state is known as soon as the role that moves has an action worth the highest reward, and not only when all of its
    /// sub-tree is explored. The papers' cache has no such rule.
    pub proofs: bool,
    /// Whether arms whose confidence interval lies below the threshold are cut, section 4.4.
    pub cuts: bool,
    /// A line goes on from a stage that has this many samples. With one, every line adds a stage, as a search in a tree does; 10,000
    /// in the paper (English paper, section 4.3, a footnote).
    pub samples: u32,
    /// The share of CPU time that solving may take of a move's solving and sampling; 0.9 in the paper.
    pub solving_share: f64,
    /// GRAVE: a stage borrows the statistics of its nearest ancestor with more samples than this. 0 leaves UCB as it is.
    pub grave: u32,
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
            arms: ArmSource::Network(Method::Mac),
            proofs: false,
            cuts: true,
            samples: 1,
            solving_share: 0.9,
            grave: 0,
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
        Self { arms: ArmSource::Network(Method::ForwardChecking), ..Self::default() }
    }

    /// Those of the player `joined-ucb`, which no paper has: stages are joined with what follows, and wins are proven.
    pub fn joined() -> Self {
        Self { arms: ArmSource::TwoStages, proofs: true, ..Self::default() }
    }

    /// What of the settings does not go together.
    pub fn contradiction(&self) -> Option<&'static str> {
        self.batches.contradiction()
    }
}

impl Options for MacUcbSettings {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        let is_ours = self.arms.method().is_none();
        if is_ours {
            list.choice("arms", &mut self.arms, &ArmSource::NAMES)?;
        }
        list.choice("proofs", &mut self.proofs, &YES_OR_NO)?;
        list.choice("cuts", &mut self.cuts, &YES_OR_NO)?;
        list.number("samples", &mut self.samples, 1..=1_000_000_000)?;
        list.number("solving-share", &mut self.solving_share, 0.0..=1.0)?;
        if is_ours {
            list.number("grave", &mut self.grave, 0..=1_000_000)?;
        }
        self.batches.list(list)
    }
}
