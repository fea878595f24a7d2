//! The hyperparameters of networks that follow from the target of their rows: those of Sinha et al.
//! for their two networks.

use super::{
    network::{Layer, Layers},
    optimizer::Optimizer,
};
use mineflow_model::{
    Activation::{Linear, Relu, Tanh},
    Target,
};

/// The default hyperparameters for a target.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// The name of the layers in manifests.
    name: &'static str,
    hidden: &'static [Layer],
    pub optimizer: Optimizer,
    /// Batch size.
    pub batch: u32,
}

/// The network of player 5.5 (Sinha et al., table 1) with the optimiser of section 4.2.2, which
/// predicts the probability that a cell is safe. The table's first row, "input", is a dense layer
/// too.
pub const CLASSIFIER: Defaults = Defaults {
    name: "table 1",
    hidden: &[
        Layer::new(9, Relu),
        Layer::new(9, Relu),
        Layer::new(5, Relu),
        Layer::new(5, Relu),
    ],
    optimizer: Optimizer::Adam,
    batch: 1024,
};

/// The network of players 6.0 and 6.5 (Sinha et al., table 2) with the optimiser of section 5.2.2,
/// which predicts the expected discounted return of an action. The table's first row, "input", is
/// a dense layer too.
pub const Q: Defaults = Defaults {
    name: "table 2",
    hidden: &[
        Layer::new(9, Relu),
        Layer::new(9, Tanh),
        Layer::new(9, Linear),
        Layer::new(9, Linear),
    ],
    optimizer: Optimizer::RmsProp,
    batch: 32,
};

/// A network for the gains of guesses, whose rows have ten times as many features.
pub const GAINS: Defaults = Defaults {
    name: "64 relu, 64 relu",
    hidden: &[Layer::new(64, Relu), Layer::new(64, Relu)],
    ..CLASSIFIER
};

impl Defaults {
    /// Returns the defaults for a target.
    pub const fn of(target: Target) -> &'static Self {
        match target {
            Target::Safe | Target::Won => &CLASSIFIER,
            Target::Return => &Q,
            Target::Gain => &GAINS,
        }
    }

    /// Returns the hidden layers.
    pub fn hidden(&self) -> Layers {
        Layers(self.hidden.to_vec())
    }

    /// Returns the name of hidden layers in manifests.
    pub fn name_of(&self, hidden: &Layers) -> String {
        match hidden.0 == self.hidden {
            true => self.name.to_owned(),
            false => hidden.to_string(),
        }
    }
}
