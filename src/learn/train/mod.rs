//! Training: from tables of rows to networks, boosted trees and alpha.
//!
//! It takes rows and settings and returns models of `mineflow-model`. It alone names the crates that learn, and knows no player or stage.
//!
//! # Rows that do not fit into memory
//!
//! `train-trees`, `train-classifier`, `train-q` and `train-ranker` then learn in windows. A window is the training games of some
//! shards, in an order that is drawn for every pass. They choose the largest power of two of rows, up to 8,388,608, that fits into
//! `--memory`; `--window ROWS` sets it. Networks take all windows in every epoch; trees grow one tree on each window in turn. The
//! manifest notes the window: the same window gives the same bytes.
//!
//! Networks lose nothing by it. For trees a window is worth about as much as a sample of its size, so make it large. Log-loss on
//! other games, learnt from 600,000 rows of one seed (`generate --rows 600000 --games-per-shard 128`, then `--window 150000` and so on):
//!
//! | | all rows | windows of a quarter | of an eighth | of a thirty-second | one eighth alone |
//! |---|---|---|---|---|---|
//! | `train-trees`, 30 rounds | 0.59522 | 0.59689 | 0.59887 | 0.61169 | 0.59837 |
//! | `train-classifier`, 5 epochs | 0.59763 | 0.59786 | 0.59760 | | 0.62357 |
//!
//! Validation games choose which of a network's rounds is published. `tensorboard --logdir runs` shows the rounds as they come.

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
pub use trainer::{Overfit, RowsProgress, Trainer};
