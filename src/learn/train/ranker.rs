//! The network that ranks the candidates of guesses.

use super::network::{Layer, Network, Output};
use super::optimizer::Optimizer;
use mineflow_model::Activation::Relu;
use mineflow_model::FeatureSet;

const HIDDEN: [Layer; 2] = [Layer::new(256, Relu), Layer::new(64, Relu)];

/// How much a candidate gains over the others of its guess, in wins. `rank` and `temperature` are those of [`Output::Rank`].
pub const fn network(features: &'static FeatureSet, rank: usize, temperature: f32) -> Network {
    Network { name: "ranker", features, hidden: &HIDDEN, output: Output::Rank { rank, temperature } }
}

pub const OPTIMIZER: Optimizer = Optimizer::Adam;
