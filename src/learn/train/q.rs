//! The network of players 6.0 and 6.5 (main paper, table 2).

use super::network::{Layer, Network, Output};
use super::optimizer::Optimizer;
use mineflow_model::Activation::{Linear, Relu, Tanh};
use mineflow_model::FeatureSet;

const HIDDEN: [Layer; 4] = [
    Layer::new(9, Relu),
    Layer::new(9, Tanh),
    Layer::new(9, Linear),
    Layer::new(9, Linear),
];

/// Table 2: the discounted reward to expect of an action. Its first row, "input", is a layer like the others.
pub const fn network(features: &'static FeatureSet) -> Network {
    Network {
        name: "table 2",
        features,
        hidden: &HIDDEN,
        output: Output::Value(Tanh),
    }
}

/// The optimiser of section 5.2.2.
pub const OPTIMIZER: Optimizer = Optimizer::RmsProp;

/// Rows a step.
pub const BATCH: u32 = 32;
