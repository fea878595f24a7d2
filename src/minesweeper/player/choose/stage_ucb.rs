//! UCB over the cells that a stochastic constraint network leaves (Koriche and others, "General Game Playing with
//! Stochastic CSP", section 4).

use std::fmt;
use std::marker::PhantomData;

use super::super::monte_carlo::{StageOptions, Table};
use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::rule::ChoosingRule;
use crate::Cell;
use crate::features::Position;
use mineflow_rng::Rng;
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
    const DRAWS_LAYOUTS: bool = true;
    const LOOKS_AHEAD: bool = true;
    const SOLVES_STAGE: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        Ok(Self { options: StageOptions::read(part)?, method: PhantomData })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let Chooser { layouts, stage, parent, child, .. } = chooser;
        self.options.choose(Table { position, mine, layouts, stage, parent, child }, F::METHOD, rng)
    }
}

impl<F: Feasibility> fmt::Display for StageUcb<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", F::NAME, self.options)
    }
}
