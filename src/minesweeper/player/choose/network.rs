//! The rule that chooses the cell with the highest safe score of a network (Sinha et al. 2021,
//! section 4.2.2, table 1).

use super::learned::Learned;
use super::model::ModelRule;
use crate::features::{ClassifierV2, PositionFeatures};

/// The rule of player 5.5, which chooses the cell with the highest safe score of a dense network.
pub type ByNetwork = Learned<NetworkRule>;

/// The [`ModelRule`] of [`ByNetwork`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NetworkRule;

impl ModelRule for NetworkRule {
    const NAME: &'static str = "mlp";
    const HELP: &'static str = "the cell that a network rates safest, of those with P close to the lowest; [:model=FILE] [:margin=0.05] [:candidates=covered|sampled]";
    const VERSION: &'static str = "5.5";
    const FEATURES: &'static dyn PositionFeatures = &ClassifierV2;
}
