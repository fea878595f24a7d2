//! The network of player 5.5 (main paper, table 1).

use super::network::{Layer, Network, Output};
use super::optimizer::Optimizer;
use crate::learn::model::Activation::Relu;
use crate::minesweeper::features::classifier_v2;

/// Table 1: the chance that a cell is safe. Its first row, "input", is a layer like the others.
pub const NETWORK: Network = Network {
    name: "table 1",
    features: classifier_v2::NAME,
    columns: &classifier_v2::COLUMNS,
    hidden: &[Layer::new(9, Relu), Layer::new(9, Relu), Layer::new(5, Relu), Layer::new(5, Relu)],
    output: Output::Probability,
};

/// The optimiser of section 4.2.2.
pub const OPTIMIZER: Optimizer = Optimizer::Adam;
