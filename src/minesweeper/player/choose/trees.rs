//! The rule that chooses the cell with the highest safe score of boosted trees (Sinha et al. 2021,
//! section 4.2.2).

use super::learned::Learned;
use super::model::ModelRule;
use crate::features::{ClassifierV2, PositionFeatures};

/// The rule of player 5.0, which chooses the cell with the highest safe score of boosted trees.
pub type ByTrees = Learned<TreesRule>;

/// The [`ModelRule`] of [`ByTrees`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TreesRule;

impl ModelRule for TreesRule {
    const NAME: &'static str = "trees";
    const HELP: &'static str = "the cell that boosted trees rate safest, of those with P close to the lowest; [:model=FILE] [:margin=0.05] \
                                [:candidates=covered|sampled]";
    const VERSION: &'static str = "5.0";
    const FEATURES: &'static dyn PositionFeatures = &ClassifierV2;
}
