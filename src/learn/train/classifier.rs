//! The network of player 5.5 (Sinha et al., table 1).

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

/// Returns the network of table 1 of Sinha et al., which predicts the probability that a cell is
/// safe. The table's first row, "input", is a dense layer too.
pub const fn network(features: &'static FeatureSet) -> Network {
    Network {
        name: "table 1",
        features,
        hidden: &HIDDEN,
        output: Output::Probability,
    }
}

/// The optimiser of section 4.2.2 of Sinha et al.
pub const OPTIMIZER: Optimizer = Optimizer::Adam;

/// The default batch size.
pub const BATCH: u32 = 1024;
