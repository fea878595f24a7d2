//! The network of players 6.0 and 6.5 (Sinha et al., table 2).

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

/// Returns the network of table 2 of Sinha et al., which predicts the expected discounted return of
/// an action. The table's first row, "input", is a dense layer too.
pub const fn network(features: &'static FeatureSet) -> Network {
    Network {
        name: "table 2",
        features,
        hidden: &HIDDEN,
        output: Output::Value(Tanh),
    }
}

/// The optimiser of section 5.2.2 of Sinha et al.
pub const OPTIMIZER: Optimizer = Optimizer::RmsProp;

/// The default batch size.
pub const BATCH: u32 = 32;
