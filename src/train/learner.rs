//! The numbers of a network and how they learn: forward pass, gradient, step. On one thread, so that the same batches give
//! the same bits.
//!
//! A batch lies in memory as (inputs, rows): what is done to every row runs along the memory, and a layer is `weight x`
//! with the weight as the artifact has it, (outputs, inputs). That halves the time of the usual layout for layers as
//! narrow as the paper's.

use burn::tensor::{Device, Tensor, TensorData, activation};

use super::network::{Network, Output};
use super::optimizer::{Descent, Optimizer};
use super::standardisation::Standardisation;
use crate::data::Table;
use crate::model::{Activation, Dense};
use crate::rng::Seed;

/// Rows worked through at once: as many as keep every layer's values in the cache. The gradients of a batch's slices are
/// added up.
const SLICE: usize = 2048;

/// What was not a finite number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RanAway(pub(super) &'static str);

/// The numbers of a learner, layer by layer and row-major: weight, bias, weight, bias, ...
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Numbers {
    /// Steps made.
    pub(super) steps: usize,
    pub(super) parameters: Vec<Vec<f32>>,
    /// What the optimiser remembers of each tensor; nothing before the first step.
    pub(super) moments: Vec<Vec<Vec<f32>>>,
}

/// A network that learns.
pub(super) struct Learner {
    network: Network,
    descent: Descent,
    rate: f64,
    device: Device,
    steps: usize,
    parameters: Vec<Tensor<2>>,
    moments: Vec<Vec<Tensor<2>>>,
}

impl Numbers {
    /// What a network begins with.
    pub(super) fn initial(network: &Network, seed: Seed) -> Self {
        let parameters = network.initial(seed);
        Self { steps: 0, moments: vec![Vec::new(); parameters.len()], parameters }
    }

    /// Whether these are numbers of `network` with moments of `optimizer`, all finite.
    pub(super) fn fit(&self, network: &Network, optimizer: Optimizer) -> bool {
        let shapes = network.shapes();
        let moments = if self.steps == 0 { 0 } else { optimizer.moments() };
        let fits = |values: &Vec<f32>, [rows, columns]: [usize; 2]| {
            values.len() == rows * columns && values.iter().all(|value| value.is_finite())
        };
        self.parameters.len() == shapes.len()
            && self.moments.len() == shapes.len()
            && self.parameters.iter().zip(&shapes).all(|(values, &shape)| fits(values, shape))
            && self
                .moments
                .iter()
                .zip(&shapes)
                .all(|(of_one, &shape)| of_one.len() == moments && of_one.iter().all(|values| fits(values, shape)))
    }
}

impl Learner {
    /// A learner that goes on from `numbers`, which fit network and optimiser.
    pub(super) fn new(network: Network, optimizer: Optimizer, rate: f64, device: Device, numbers: Numbers) -> Self {
        let shapes = network.shapes();
        let tensor = |values: Vec<f32>, shape: [usize; 2]| tensor(values, shape, &device);
        let Numbers { steps, parameters, moments } = numbers;
        let parameters = parameters.into_iter().zip(&shapes).map(|(values, &shape)| tensor(values, shape)).collect();
        let moments = moments
            .into_iter()
            .zip(&shapes)
            .map(|(of_one, &shape)| of_one.into_iter().map(|values| tensor(values, shape)).collect())
            .collect();
        Self { network, descent: optimizer.build(), rate, steps, parameters, moments, device }
    }

    /// Steps made.
    pub(super) fn steps(&self) -> usize {
        self.steps
    }

    /// Its numbers as they are now.
    pub(super) fn numbers(&self) -> Numbers {
        Numbers {
            steps: self.steps,
            parameters: self.parameters.iter().map(values).collect(),
            moments: self.moments.iter().map(|of_one| of_one.iter().map(values).collect()).collect(),
        }
    }

    /// Its layers as artifacts have them.
    pub(super) fn layers(&self) -> Vec<Dense> {
        let pairs = self.parameters.chunks_exact(2);
        let layer = |(layer, pair): (super::Layer, &[Tensor<2>])| Dense {
            weight: values(&pair[0]),
            bias: values(&pair[1]),
            activation: layer.activation,
        };
        self.network.layers().zip(pairs).map(layer).collect()
    }

    /// Learns from a batch; gives its mean loss as it was before.
    ///
    /// # Errors
    /// If the loss or a gradient is no finite number; the network is then as it was.
    pub(super) fn step(&mut self, inputs: &Standardisation, table: &Table, rows: &[u32]) -> Result<f64, RanAway> {
        let tracked = self.device.clone().autodiff();
        let mut sums: Vec<Option<Tensor<2>>> = vec![None; self.parameters.len()];
        let mut loss = 0.0;
        for slice in rows.chunks(SLICE) {
            let leaves: Vec<Tensor<2>> = self.parameters.iter().map(|p| p.clone().autodiff().require_grad()).collect();
            let input = tensor(inputs.columns(table, slice), [self.network.inputs(), slice.len()], &tracked);
            let raw = self.forward(&leaves, input);
            let outputs = values(&raw.clone().without_autodiff());
            let targets = slice.iter().map(|&row| table.target[row as usize]);
            let mut slopes = Vec::with_capacity(slice.len());
            for (output, target) in outputs.into_iter().zip(targets) {
                let (one, slope) = self.judge(output, target);
                loss += f64::from(one);
                slopes.push(slope / rows.len() as f32);
            }
            // The loss is not part of the graph: the derivative of this sum by a parameter is the loss's.
            let mut gradients = (raw * tensor(slopes, [1, slice.len()], &tracked)).sum().backward();
            for (sum, leaf) in sums.iter_mut().zip(&leaves) {
                let gradient = leaf.grad_remove(&mut gradients).expect("every parameter takes part in every output");
                *sum = Some(match sum.take() {
                    Some(sum) => sum + gradient,
                    None => gradient,
                });
            }
        }
        loss /= rows.len() as f64;
        if !loss.is_finite() {
            return Err(RanAway("loss"));
        }
        let gradients: Vec<Tensor<2>> = sums.into_iter().flatten().collect();
        if !gradients.iter().flat_map(values).all(f32::is_finite) {
            return Err(RanAway("gradient"));
        }
        for ((parameter, moments), gradient) in self.parameters.iter_mut().zip(&mut self.moments).zip(gradients) {
            let before = std::mem::take(moments);
            (*parameter, *moments) = self.descent.step(self.rate, self.steps, parameter.clone(), gradient, before);
        }
        self.steps += 1;
        Ok(loss)
    }

    /// The mean loss over `table`.
    pub(super) fn loss(&self, inputs: &Standardisation, table: &Table) -> f64 {
        let rows: Vec<u32> = (0..table.rows() as u32).collect();
        let mut loss = 0.0;
        for slice in rows.chunks(SLICE) {
            let raw = self.raw_outputs(inputs, table, slice);
            let targets = slice.iter().map(|&row| table.target[row as usize]);
            loss += raw.into_iter().zip(targets).map(|(raw, target)| f64::from(self.judge(raw, target).0)).sum::<f64>();
        }
        loss / rows.len() as f64
    }

    /// What the network gives for `rows` of `table`.
    pub(super) fn outputs(&self, inputs: &Standardisation, table: &Table, rows: &[u32]) -> Vec<f32> {
        let mut outputs = self.raw_outputs(inputs, table, rows);
        if self.network.output == Output::Probability {
            outputs.iter_mut().for_each(|logit| *logit = probability(*logit));
        }
        outputs
    }

    fn raw_outputs(&self, inputs: &Standardisation, table: &Table, rows: &[u32]) -> Vec<f32> {
        let input = tensor(inputs.columns(table, rows), [self.network.inputs(), rows.len()], &self.device);
        values(&self.forward(&self.parameters, input))
    }

    /// The outputs for columns of inputs; of a probability its logit, from which the loss keeps its digits.
    fn forward(&self, parameters: &[Tensor<2>], input: Tensor<2>) -> Tensor<2> {
        let mut now = input;
        for (layer, pair) in self.network.layers().zip(parameters.chunks_exact(2)) {
            let sums = pair[0].clone().matmul(now) + pair[1].clone();
            now = match layer.activation {
                Activation::Relu => activation::relu(sums),
                Activation::Tanh => sums.tanh(),
                Activation::Linear => sums,
                // The output's alone: the logit is what is asked for.
                Activation::Sigmoid => sums,
            };
        }
        now
    }

    /// The loss of one raw output, and its derivative by that output.
    fn judge(&self, raw: f32, target: f32) -> (f32, f32) {
        match self.network.output {
            Output::Probability => {
                let loss = raw.max(0.0) - raw * target + (-raw.abs()).exp().ln_1p();
                (loss, probability(raw) - target)
            }
            Output::Value(_) => {
                let error = raw - target;
                (error * error, 2.0 * error)
            }
        }
    }
}

/// The sigmoid, without overflow.
fn probability(logit: f32) -> f32 {
    let small = (-logit.abs()).exp();
    if logit >= 0.0 { 1.0 / (1.0 + small) } else { small / (1.0 + small) }
}

fn tensor(values: Vec<f32>, shape: [usize; 2], device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values, shape), device)
}

fn values(tensor: &Tensor<2>) -> Vec<f32> {
    tensor.clone().into_data().try_into_vec().expect("tensors here hold 32-bit floats")
}
