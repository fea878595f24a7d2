//! UCB over the cells that a stochastic constraint network leaves (Koriche and others, "General Game Playing with
//! Stochastic CSP", section 4).

use std::marker::PhantomData;

use super::super::monte_carlo::{StageChooser, StageOptions};
use super::rule::{Chooser, ChoosingRule};
use crate::Grid;
use mineflow_search::options::{OptionError, OptionList, Options};
use mineflow_search::scsp::Method;

/// The cell with the best samples, among those that [`Feasibility::METHOD`] finds feasible.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageUcb<F> {
    pub options: StageOptions,
    method: PhantomData<F>,
}

/// MAC-UCB: feasible is what maintaining arc consistency leaves.
pub type ByMac = StageUcb<ArcConsistency>;
/// FC-UCB: feasible is what forward checking leaves.
pub type ByForwardChecking = StageUcb<OneStepAhead>;

/// How feasible cells are found.
pub trait Feasibility: Copy {
    /// The rule's name in a recipe.
    const NAME: &'static str;
    const HELP: &'static str;
    const METHOD: Method;
}

/// Tells [`ByMac`] from the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArcConsistency;

impl Feasibility for ArcConsistency {
    const NAME: &'static str = "mac-ucb";
    const HELP: &'static str = "UCB over the cells that MAC finds feasible; needs posterior; [:playouts=1000|:ms=50] \
                                [:samples=N an arm] [:nodes=100000] [:exact=2] [:weight=2000] \
                                [:candidates=covered|boundary|sampled]";
    const METHOD: Method = Method::Mac;
}

/// Tells [`ByForwardChecking`] from the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OneStepAhead;

impl Feasibility for OneStepAhead {
    const NAME: &'static str = "fc-ucb";
    const HELP: &'static str =
        "UCB over the cells that forward checking finds feasible; needs posterior; options as mac-ucb";
    const METHOD: Method = Method::ForwardChecking;
}

impl<F: Feasibility> ChoosingRule for StageUcb<F> {
    const NAME: &'static str = F::NAME;
    const HELP: &'static str = F::HELP;
    const ALWAYS_SHOWN: &'static [&'static str] = &["playouts", "ms"];
    const NEEDS_POSTERIOR: bool = true;
    const PLAYS_OUT: bool = true;

    fn usual() -> Self {
        Self { options: StageOptions::default(), method: PhantomData }
    }

    fn chooser(&self, _: &Grid) -> Box<dyn Chooser> {
        Box::new(StageChooser::new(self.options, F::METHOD))
    }
}

impl<F> Options for StageUcb<F> {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.options.list(list)
    }
}
