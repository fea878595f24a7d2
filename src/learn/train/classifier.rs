//! The network of player 5.5 (main paper, table 1).

use super::network::{Layer, Network, Output};
use super::optimizer::Optimizer;
use mineflow_model::Activation::Relu;
use mineflow_model::FeatureSet;

const HIDDEN: [Layer; 4] = [
    Layer::new(9, Relu),
    Layer::new(9, Relu),
    Layer::new(5, Relu),
    Layer::new(5, Relu),
];

/// Table 1: the chance that a cell is safe. Its first row, "input", is a layer like the others.
pub const fn network(features: &'static FeatureSet) -> Network {
    Network {
        name: "table 1",
        features,
        hidden: &HIDDEN,
        output: Output::Probability,
    }
}

/// The optimiser of section 4.2.2.
pub const OPTIMIZER: Optimizer = Optimizer::Adam;

/// Rows a step.
pub const BATCH: u32 = 1024;
