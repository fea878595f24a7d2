//! The rule that chooses the action with the highest expected reward (Sinha et al. 2021, section
//! 4.2.3, table 2).

use super::learned::Learned;
use super::model::ModelRule;
use crate::features::{PositionFeatures, QV2};

/// The rule of players 6.0 and 6.5, which chooses the action whose sub-state has the highest Q.
pub type ByQ = Learned<QRule>;

/// The [`ModelRule`] of [`ByQ`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct QRule;

impl ModelRule for QRule {
    const NAME: &'static str = "q";
    const HELP: &'static str = "the cell with the highest return by a Q-network, of those with P close to the lowest; [:model=FILE] [:margin=0.05] \
                                [:candidates=covered|sampled]";
    const VERSION: &'static str = "6.5";
    const FEATURES: &'static dyn PositionFeatures = &QV2;
}
