//! Training: from tables to artifacts. The only folder that names the crates that learn.

pub mod alpha;
mod batches;
mod checkpoint;
pub mod classifier;
mod device;
mod error;
mod learner;
mod network;
mod optimizer;
pub mod q;
mod schedule;
mod settings;
mod standardisation;
mod trainer;
pub mod trees;

pub use device::Device;
pub use error::TrainError;
pub use network::{Layer, Network, Output};
pub use optimizer::Optimizer;
pub use schedule::Schedule;
pub use settings::TrainerSettings;
pub use standardisation::Standardisation;
pub use trainer::{Overfit, Progress, Trainer};
