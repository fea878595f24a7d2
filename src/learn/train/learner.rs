//! The parameters of a network and their training: forward pass, gradient, step. The crate burn
//! provides the losses, their derivatives, the optimisers and gradient clipping. A batch is
//! processed in slices, whose gradients are added in order: the same batches give identical results
//! on any number of threads.
//!
//! The layers are not burn's `nn::Linear`. A batch has the layout (inputs, rows), so that
//! operations on every row access contiguous memory. A layer is `weight x`, where the weight has
//! the layout of the artifact, (outputs, inputs). The table gives CPU seconds for 200,000 rows with
//! the networks in tables 1 and 2 of Sinha et al. Each figure is the median of three alternating
//! runs on one thread.
//!
//! | | burn's layers, losses and module optimisers | this layout |
//! |---|---|---|
//! | table 1, Adam, batches of 1,024 | 0.175 | 0.109 |
//! | table 2, RMSprop, batches of 32 | 0.891 | 0.770 |

use burn::{
    grad_clipping::{GradientClipping, GradientClippingConfig},
    nn::loss::{BinaryCrossEntropyLossConfig, MseLoss, Reduction},
    tensor::{Device, Tensor, TensorData, activation},
};
use rayon::{ThreadPool, ThreadPoolBuilder, prelude::*};

use super::{
    Loss,
    checkpoint::nested,
    error::TrainError,
    network::Network,
    optimizer::{Descent, Optimizer},
    settings::TrainerSettings,
    standardisation::Standardisation,
};
use crate::data::Table;
use mineflow_model::{Activation, Dense};
use mineflow_rng::Seed;

/// The number of rows per slice, which is small enough that a batch of 1,024 rows keeps two threads
/// busy. The table gives seconds for a million rows with the network in table 1 of Sinha et al.
///
/// | rows per slice | one thread | two threads |
/// |---|---|---|
/// | 256 | 0.70 | 0.71 |
/// | 512 | 0.60 | 0.44 |
/// | 2,048 | 0.54 | 0.49 |
const SLICE: usize = 512;

/// The error of a training run that diverged: the name of the quantity that was not finite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Diverged(pub(super) &'static str);

/// The parameters of a learner, layer by layer and row-major: weight, bias, weight, bias, ...
pub(super) struct Numbers {
    /// Number of optimiser steps done.
    pub steps: usize,
    pub parameters: Vec<Vec<f32>>,
    /// The optimiser's moments of each tensor; empty before the first step.
    pub moments: Vec<Vec<Vec<f32>>>,
}

/// A network in training.
pub(super) struct Learner {
    network: Network,
    descent: Descent,
    clipping: Option<GradientClipping>,
    device: Device,
    /// The worker threads; `None` if only the calling thread is used.
    workers: Option<ThreadPool>,
    steps: usize,
    parameters: Vec<Tensor<2>>,
    moments: Vec<Vec<Tensor<2>>>,
}

impl Numbers {
    /// Returns the initial parameters of a network.
    pub fn initial(network: &Network, seed: Seed) -> Self {
        let parameters = network.initial(seed);
        Self {
            steps: 0,
            moments: vec![Vec::new(); parameters.len()],
            parameters,
        }
    }

    /// Returns whether the parameters are finite and fit `network`, and the moments fit
    /// `optimizer`.
    pub fn fit(&self, network: &Network, optimizer: Optimizer) -> bool {
        let shapes = network.shapes();
        let moments = if self.steps == 0 {
            0
        } else {
            optimizer.moments()
        };
        let fits = |values: &Vec<f32>, [rows, columns]: [usize; 2]| {
            values.len() == rows * columns && values.iter().all(|value| value.is_finite())
        };
        let mut tensors = self.parameters.iter().zip(&self.moments).zip(&shapes);
        self.parameters.len() == shapes.len()
            && self.moments.len() == shapes.len()
            && tensors.all(|((parameter, of_one), &shape)| {
                fits(parameter, shape)
                    && of_one.len() == moments
                    && of_one.iter().all(|values| fits(values, shape))
            })
    }
}

impl Learner {
    /// Creates a learner that continues from `numbers`, which must fit the network and the
    /// optimiser.
    ///
    /// # Errors
    /// Returns an error if the threads can't be started.
    pub fn new(settings: &TrainerSettings, numbers: Numbers) -> Result<Self, TrainError> {
        let network = settings.network.clone();
        let device = settings.device.open();
        let mut parameters = Vec::new();
        let mut moments = Vec::new();
        let tensors = numbers.parameters.into_iter().zip(numbers.moments);
        for ((parameter, of_one), shape) in tensors.zip(network.shapes()) {
            parameters.push(tensor(parameter, shape, &device));
            let of_one = of_one.into_iter();
            moments.push(
                of_one
                    .map(|values| tensor(values, shape, &device))
                    .collect(),
            );
        }
        let threads = settings.threads;
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        let workers = (threads > 1).then(pool).transpose();
        let clip = settings.clip.map(GradientClippingConfig::Norm);
        Ok(Self {
            network,
            descent: settings.optimizer.build(settings.weight_decay),
            clipping: clip.map(|clip| clip.init()),
            device,
            workers: workers.map_err(|error| TrainError::Threads(threads, error))?,
            steps: numbers.steps,
            parameters,
            moments,
        })
    }

    /// Returns the number of steps done.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Returns the current parameters.
    pub fn numbers(&self) -> Numbers {
        Numbers {
            steps: self.steps,
            parameters: self.parameters.iter().map(values).collect(),
            moments: nested(&self.moments, values),
        }
    }

    /// Returns the layers in the layout of artifacts.
    pub fn layers(&self) -> Vec<Dense> {
        let pairs = self.parameters.chunks_exact(2);
        let layer = |(layer, pair): (super::Layer, &[Tensor<2>])| Dense {
            weight: values(&pair[0]),
            bias: values(&pair[1]),
            activation: layer.activation,
        };
        let mut layers: Vec<_> = self.network.layers().zip(pairs).map(layer).collect();
        if let Some(Dense { weight, bias, .. }) = layers.last_mut() {
            let unit = self.network.unit();
            weight
                .iter_mut()
                .chain(bias)
                .for_each(|value| *value *= unit);
        }
        layers
    }

    /// Trains on a batch with one step of learning rate `rate`; returns its mean loss before the
    /// step.
    ///
    /// # Errors
    /// Returns an error if the loss or a gradient is not finite; the network is then unchanged.
    pub fn step(
        &mut self,
        rate: f64,
        inputs: &Standardisation,
        table: &Table,
        rows: &[u32],
    ) -> Result<f64, Diverged> {
        let slices = self.by_slices(rows, |slice| {
            self.gradients(inputs, table, slice, rows.len())
        });
        let mut loss = 0.0;
        let mut sums: Vec<Tensor<2>> = Vec::new();
        // Add in the order of the slices, because a sum of floats depends on the order.
        for (part, gradients) in slices {
            loss += part;
            sums = if sums.is_empty() {
                gradients
            } else {
                sums.into_iter()
                    .zip(gradients)
                    .map(|(a, b)| a + b)
                    .collect()
            };
        }
        if !loss.is_finite() {
            return Err(Diverged("loss"));
        }
        if !sums.iter().flat_map(values).all(f32::is_finite) {
            return Err(Diverged("gradient"));
        }
        for ((parameter, moments), gradient) in
            self.parameters.iter_mut().zip(&mut self.moments).zip(sums)
        {
            let gradient = match &self.clipping {
                Some(clipping) => clipping.clip_gradient(gradient),
                None => gradient,
            };
            let before = std::mem::take(moments);
            (*parameter, *moments) =
                self.descent
                    .step(rate, self.steps, parameter.clone(), gradient, before);
        }
        self.steps += 1;
        Ok(loss)
    }

    /// Computes the contribution of a slice to the mean loss of a batch of `of_rows` rows, and to
    /// its gradients.
    fn gradients(
        &self,
        inputs: &Standardisation,
        table: &Table,
        slice: &[u32],
        of_rows: usize,
    ) -> (f64, Vec<Tensor<2>>) {
        let tracked = self.device.clone().autodiff();
        let leaves: Vec<Tensor<2>> = self
            .parameters
            .iter()
            .map(|p| p.clone().autodiff().require_grad())
            .collect();
        let share = slice.len() as f64 / of_rows as f64;
        let loss = self.mean_loss(&leaves, inputs, table, slice, &tracked) * share;
        let value = scalar(&loss);
        let mut gradients = loss.backward();
        let gradients = leaves.iter().map(|leaf| {
            let gradient = leaf.grad_remove(&mut gradients);
            gradient.expect("every parameter takes part in every output")
        });
        (value, gradients.collect())
    }

    /// Returns the mean loss over `table`.
    pub fn loss(&self, inputs: &Standardisation, table: &Table) -> f64 {
        let rows: Vec<u32> = (0..table.rows() as u32).collect();
        let of = |slice: &[u32]| {
            scalar(&self.mean_loss(&self.parameters, inputs, table, slice, &self.device))
                * slice.len() as f64
        };
        self.by_slices(&rows, of).into_iter().sum::<f64>() / rows.len() as f64
    }

    /// Maps `work` over the slices of `rows`. The results are in the order of the slices, on any
    /// number of threads.
    fn by_slices<T: Send>(&self, rows: &[u32], work: impl Fn(&[u32]) -> T + Sync + Send) -> Vec<T> {
        match &self.workers {
            Some(workers) if rows.len() > SLICE => {
                workers.install(|| rows.par_chunks(SLICE).map(work).collect())
            }
            _ => rows.chunks(SLICE).map(work).collect(),
        }
    }

    /// Returns the mean loss of `parameters` over `rows` of `table`.
    fn mean_loss(
        &self,
        parameters: &[Tensor<2>],
        inputs: &Standardisation,
        table: &Table,
        rows: &[u32],
        device: &Device,
    ) -> Tensor<1> {
        let raw = self.forward(parameters, self.input(inputs, table, rows, device));
        let targets = rows.iter().map(|&row| table.target[row as usize]);
        match self.network.loss() {
            Loss::Logarithmic => {
                let labels = targets.map(|target| target as i64).collect();
                let labels =
                    Tensor::from_data(TensorData::new::<i64, _>(labels, [1, rows.len()]), device);
                BinaryCrossEntropyLossConfig::new()
                    .with_logits(true)
                    .init(device)
                    .forward(raw, labels)
            }
            Loss::SquaredError => {
                let unit = self.network.unit();
                let targets = targets.map(|target| target / unit).collect();
                let targets = tensor(targets, [1, rows.len()], device);
                MseLoss::new().forward(raw, targets, Reduction::Mean)
            }
        }
    }

    /// Returns the network's outputs for `rows` of `table`.
    pub fn outputs(&self, inputs: &Standardisation, table: &Table, rows: &[u32]) -> Vec<f32> {
        let raw = self.forward(
            &self.parameters,
            self.input(inputs, table, rows, &self.device),
        );
        let outputs = values(&match self.network.loss() {
            Loss::Logarithmic => activation::sigmoid(raw),
            Loss::SquaredError => raw,
        });
        let unit = self.network.unit();
        outputs.into_iter().map(|output| output * unit).collect()
    }

    fn input(
        &self,
        inputs: &Standardisation,
        table: &Table,
        rows: &[u32],
        device: &Device,
    ) -> Tensor<2> {
        tensor(
            inputs.columns(table, rows),
            [self.network.inputs(), rows.len()],
            device,
        )
    }

    /// Computes the outputs for `input`, whose layout is (inputs, rows). For a probability, the
    /// output is the logit, from which the loss is computed more precisely.
    fn forward(&self, parameters: &[Tensor<2>], input: Tensor<2>) -> Tensor<2> {
        let mut now = input;
        for (layer, pair) in self.network.layers().zip(parameters.chunks_exact(2)) {
            let sums = pair[0].clone().matmul(now) + pair[1].clone();
            now = match layer.activation {
                Activation::Relu => activation::relu(sums),
                Activation::Tanh => sums.tanh(),
                Activation::Linear => sums,
                // Only the output layer has this activation: return the logit.
                Activation::Sigmoid => sums,
            };
        }
        now
    }
}

fn tensor(values: Vec<f32>, shape: [usize; 2], device: &Device) -> Tensor<2> {
    Tensor::from_data(TensorData::new(values, shape), device)
}

fn values(tensor: &Tensor<2>) -> Vec<f32> {
    tensor
        .clone()
        .into_data()
        .try_into_vec()
        .expect("tensors here hold 32-bit floats")
}

fn scalar(tensor: &Tensor<1>) -> f64 {
    f64::from(tensor.clone().into_scalar::<f32>())
}
