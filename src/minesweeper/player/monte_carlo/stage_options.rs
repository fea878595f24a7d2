//! How MAC-UCB and FC-UCB sample a guess, as options of a recipe.

use super::search_options::SearchBudget;
use mineflow_search::options::{OptionError, OptionList, Options};

/// The options that `mac-ucb` and `fc-ucb` share.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct StageOptions {
    pub budget: SearchBudget,
    /// Samples an arm after which the threshold rises; `None` for a twentieth of the playouts, at least two an arm.
    pub samples: Option<u32>,
    /// A search for feasible cells stops after this many branchings, and the posterior stands in for it.
    pub nodes: u64,
    /// Stages whose risk is exact: 0 for none, the paper's letter; 1 for the guess itself, 2 for the next move as well.
    pub exact: u32,
    /// Samples that the share won by all arms together counts as in each of them.
    pub weight: u32,
}

impl Default for StageOptions {
    fn default() -> Self {
        let budget = SearchBudget::Playouts(1000);
        Self { budget, samples: None, nodes: 100_000, exact: 2, weight: 2000 }
    }
}

impl StageOptions {
    /// Samples between two rises of the threshold.
    pub(super) fn samples_of_line(&self, arms: usize) -> u64 {
        let arms = arms as u64;
        match (self.samples, self.budget) {
            (Some(samples), _) => u64::from(samples) * arms,
            (None, SearchBudget::Playouts(playouts)) => (2 * arms).max(playouts / 20),
            (None, SearchBudget::Milliseconds(_)) => (10 * arms).max(50),
        }
    }
}

impl Options for StageOptions {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.budget.list(list)?;
        list.optional("samples", &mut self.samples, 1..=1_000_000)?;
        list.number("nodes", &mut self.nodes, 1..=1_000_000_000)?;
        list.number("exact", &mut self.exact, 0..=2)?;
        list.number("weight", &mut self.weight, 0..=1_000_000)
    }
}
