//! How a network learns, whatever it learns.

use super::device::Device;
use super::network::Network;
use super::optimizer::Optimizer;
use super::schedule::Schedule;
use mineflow_rng::Seed;

/// How a network learns.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainerSettings {
    pub network: Network,
    pub optimizer: Optimizer,
    pub schedule: Schedule,
    /// The length to which the gradient of each tensor is cut back where it is longer.
    pub clip: Option<f32>,
    /// Rows a step, or lists where these are learnt from; at least 1.
    pub batch: usize,
    pub device: Device,
    /// Initial weights and the order of rows follow from it.
    pub seed: Seed,
    /// Number of workers, at least 1; results don't depend on it.
    pub threads: usize,
}
