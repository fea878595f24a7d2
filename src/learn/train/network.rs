//! Architectures of dense networks: widths, activations and loss, without parameters.

use rand::RngExt;

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
    /// A probability, by the sigmoid. Targets are 0 and 1; the loss is binary cross-entropy.
    Probability,
    /// A value, by this activation. Targets lie in -1..=1; the loss is the mean squared error.
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
    /// Features per row.
    pub const fn inputs(&self) -> usize {
        self.features.width()
    }

    /// All layers, including the output.
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

    /// The shapes (outputs, inputs) of weight and (outputs, 1) of bias, layer by layer.
    pub(super) fn shapes(&self) -> Vec<[usize; 2]> {
        let mut inputs = self.inputs();
        let mut shapes = Vec::new();
        for layer in self.layers() {
            shapes.extend([[layer.outputs, inputs], [layer.outputs, 1]]);
            inputs = layer.outputs;
        }
        shapes
    }

    /// Initial weights, one tensor per shape: uniform in `+-sqrt(6 / (inputs + outputs))` (Glorot and Bengio), biases 0. Burn's
    /// initialiser of that name uses a random generator shared by the whole process, by which concurrent trainings would change each
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

    /// Whether `target` is in the range of the output.
    pub(super) fn takes(&self, target: f32) -> bool {
        match self.output {
            Output::Probability => target == 0.0 || target == 1.0,
            Output::Value(_) => (-1.0..=1.0).contains(&target),
        }
    }
}
