//! Architectures of dense networks: widths, activations and loss, without parameters.

use rand::RngExt;

use super::rows::{RowsError, check_rows};
use crate::data::Table;
use mineflow_model::{Activation, FeatureSet};
use mineflow_rng::Seed;

/// One fully connected layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layer {
    pub outputs: usize,
    pub activation: Activation,
}

impl Layer {
    pub const fn new(outputs: usize, activation: Activation) -> Self {
        Self {
            outputs,
            activation,
        }
    }
}

/// The single output of a network, with its loss.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Output {
    /// A probability, computed by the sigmoid. Targets are 0 and 1; the loss is binary
    /// cross-entropy.
    Probability,
    /// A value, computed by this activation. Targets lie in -1..=1; the loss is the mean squared
    /// error.
    Value(Activation),
}

/// A dense network: hidden layers, then one output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Network {
    /// The name in manifests.
    pub name: &'static str,
    /// The feature set of its input.
    pub features: &'static FeatureSet,
    pub hidden: &'static [Layer],
    pub output: Output,
}

impl Network {
    /// Returns the number of features per row.
    pub const fn inputs(&self) -> usize {
        self.features.width()
    }

    /// Returns all layers, including the output.
    pub fn layers(&self) -> impl Iterator<Item = Layer> + '_ {
        let activation = match self.output {
            Output::Probability => Activation::Sigmoid,
            Output::Value(activation) => activation,
        };
        self.hidden
            .iter()
            .copied()
            .chain([Layer::new(1, activation)])
    }

    /// Returns the shapes of the weight (outputs, inputs) and the bias (outputs, 1) of every layer,
    /// in order.
    pub(super) fn shapes(&self) -> Vec<[usize; 2]> {
        let mut inputs = self.inputs();
        let mut shapes = Vec::new();
        for layer in self.layers() {
            shapes.extend([[layer.outputs, inputs], [layer.outputs, 1]]);
            inputs = layer.outputs;
        }
        shapes
    }

    /// Draws the initial weights, one tensor per shape: uniform in `+-sqrt(6 / (inputs + outputs))`
    /// (Glorot and Bengio), with zero biases. Burn's initialiser of that name uses a random
    /// generator shared by the whole process; with it, concurrent training runs would change each
    /// other's weights.
    pub(super) fn initial(&self, seed: Seed) -> Vec<Vec<f32>> {
        let mut rng = seed.child("weights", 0).rng();
        let draw = |(index, [outputs, inputs]): (usize, [usize; 2])| {
            let limit = if index % 2 == 0 {
                (6.0 / (inputs + outputs) as f32).sqrt()
            } else {
                0.0
            };
            (0..outputs * inputs)
                .map(|_| limit * rng.random_range(-1.0..1.0_f32))
                .collect()
        };
        self.shapes().into_iter().enumerate().map(draw).collect()
    }

    /// Checks that the network can be trained on `table`.
    pub(super) fn check(&self, table: &Table, split: &'static str) -> Result<(), RowsError> {
        let (takes, expected): (fn(f32) -> bool, _) = match self.output {
            Output::Probability => (|target| target == 0.0 || target == 1.0, "0 or 1"),
            Output::Value(_) => (|target| (-1.0..=1.0).contains(&target), "between -1 and 1"),
        };
        check_rows(split, table, self.inputs(), takes, expected)
    }
}
