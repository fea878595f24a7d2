//! Hyperparameters of network training.

use super::{device::Device, network::Network, optimizer::Optimizer, schedule::Schedule};
use mineflow_rng::Seed;

/// Hyperparameters of network training.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainerSettings {
    pub network: Network,
    pub optimizer: Optimizer,
    /// The factor of the weight decay, from 0 on: decoupled for AdamW, otherwise an L2 penalty.
    pub weight_decay: f64,
    pub schedule: Schedule,
    /// The maximum norm of the gradient of each tensor (clipping).
    pub clip: Option<f32>,
    /// Batch size, at least 1.
    pub batch: usize,
    pub device: Device,
    /// Seed of the initial weights and of the order of rows.
    pub seed: Seed,
    /// Number of worker threads, at least 1; results don't depend on it.
    pub threads: usize,
}
