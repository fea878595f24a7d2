//! Dense networks as descriptions: widths, activations, and what they are to learn. No numbers.

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

/// The one number that a network gives, and what is made small in training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Output {
    /// A probability, by the sigmoid. Targets are 0 and 1, the loss is binary cross-entropy.
    Probability,
    /// A value by this activation. Targets lie in -1..=1, the loss is the mean squared error.
    Value(Activation),
}

/// A dense network: hidden layers, then one output.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Network {
    /// Its name in manifests.
    pub name: &'static str,
    /// What it reads.
    pub features: &'static FeatureSet,
    pub hidden: &'static [Layer],
    pub output: Output,
}

impl Network {
    /// Numbers a row.
    pub const fn inputs(&self) -> usize {
        self.features.width()
    }

    /// All layers, the output among them.
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

    /// Weights to begin with, one tensor a shape: uniform in `+-sqrt(6 / (inputs + outputs))` (Glorot and Bengio), biases 0.
    /// Burn's initialiser of that name draws from a generator that the whole process shares, so that trainings side by side
    /// would change each other's weights.
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

    /// Whether `target` is one that the output can learn.
    pub(super) fn takes(&self, target: f32) -> bool {
        match self.output {
            Output::Probability => target == 0.0 || target == 1.0,
            Output::Value(_) => (-1.0..=1.0).contains(&target),
        }
    }
}
