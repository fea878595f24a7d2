//! Architectures of dense networks: widths and activations, without parameters.

use std::{
    fmt::{self, Display, Formatter},
    str::FromStr,
};

use rand::RngExt;

use super::{
    Loss,
    rows::{RowsError, check_rows},
};
use crate::data::Table;
use mineflow_model::{Activation, Dense, FeatureSet, Mlp, Target};
use mineflow_rng::Seed;

/// One fully connected layer. Its text form is `64 relu`.
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

impl Display for Layer {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.outputs, self.activation)
    }
}

impl FromStr for Layer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let read = || {
            let (outputs, activation) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
            let layer = Self::new(outputs.parse().ok()?, activation.trim().parse().ok()?);
            let is_hidden = layer.activation != Activation::Sigmoid;
            ((1..=Dense::WIDEST).contains(&layer.outputs) && is_hidden).then_some(layer)
        };
        read().ok_or_else(|| {
            format!(
                "`{text}` is not a layer; write its width, 1 to {}, and relu, tanh or linear, such as `64 relu`",
                Dense::WIDEST
            )
        })
    }
}

/// The layers of a network, from the input on. Their text form is `64 relu, 64 relu`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layers(pub Vec<Layer>);

impl Layers {
    /// Returns all layers of a network, including the output.
    pub fn of(mlp: &Mlp) -> Self {
        let layers = mlp.layers().iter();
        let layer = |of: &Dense| Layer::new(of.outputs(), of.activation);
        Self(layers.map(layer).collect())
    }
}

impl Display for Layers {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let layers: Vec<_> = self.0.iter().map(Layer::to_string).collect();
        f.write_str(&layers.join(", "))
    }
}

impl FromStr for Layers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let layers = text.split(',').map(str::parse);
        Ok(Self(layers.collect::<Result<_, _>>()?))
    }
}

/// A dense network: hidden layers, then one output, which follows from the target of its rows.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    /// The feature set of its input.
    pub features: &'static FeatureSet,
    pub hidden: Layers,
}

impl Network {
    /// Returns the number of features per row.
    pub const fn inputs(&self) -> usize {
        self.features.width()
    }

    /// Returns all layers, including the output: a probability by the sigmoid, a return by the
    /// hyperbolic tangent, or a gain without an activation.
    pub fn layers(&self) -> impl Iterator<Item = Layer> + '_ {
        let activation = match self.features.target {
            Target::Safe | Target::Won => Activation::Sigmoid,
            Target::Return => Activation::Tanh,
            Target::Gain => Activation::Linear,
        };
        let output = Layer::new(1, activation);
        self.hidden.0.iter().copied().chain([output])
    }

    pub(super) const fn loss(&self) -> Loss {
        Loss::of(self.features.target)
    }

    /// Returns the unit in which targets are learnt. Gains are of the order of a hundredth of a win
    /// and are learnt in 1/64 wins, because initial weights and the steps of Adam are made for
    /// outputs of the size of 1. The unit becomes a factor of the last layer of the artifact,
    /// without rounding, because it is a power of two.
    pub(super) const fn unit(&self) -> f32 {
        match self.features.target {
            Target::Gain => 1.0 / 64.0,
            _ => 1.0,
        }
    }

    /// Returns the loss as metrics show it: for gains the root mean squared error in wins, as for
    /// trees, and otherwise the mean loss itself.
    pub fn shown_loss(&self, loss: f64) -> f64 {
        match self.features.target {
            Target::Gain => loss.sqrt() * f64::from(self.unit()),
            _ => loss,
        }
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
        check_rows(split, table, self.inputs(), self.loss())
    }
}
