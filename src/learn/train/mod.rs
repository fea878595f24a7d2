//! Training: from tables of rows to networks, boosted trees and alpha.
//!
//! This module takes rows and settings and returns models of `mineflow-model`. No other module uses
//! the machine learning crates; this one does not depend on players or stages.
//!
//! # Rows that do not fit into memory
//!
//! If the rows don't fit into memory, `train-trees`, `train-network`, `train-classifier` and
//! `train-q` train in windows. A window consists of the training games of some shards of the data;
//! the shards are in a new random order for every pass. The default window size is the largest power
//! of two, up to 8,388,608 rows, that fits into `--memory`; `--window ROWS` sets the size. Networks
//! use all windows in every epoch; boosting grows one tree on each window in turn. The manifest
//! records the window size: the same window gives identical results.
//!
//! Training in windows does not make networks worse. For trees, training in windows is about as
//! good as training on a single window, and windows should therefore be large. The table shows the
//! test log-loss after training on 600,000 rows of one seed (`generate --rows 600000
//! --games-per-shard 128`, then `--window 150000` and so on):
//!
//! | | all rows | windows of 1/4 of the rows | windows of 1/8 | windows of 1/32 | only one window of 1/8 |
//! |---|---|---|---|---|---|
//! | `train-trees`, 30 rounds | 0.59522 | 0.59689 | 0.59887 | 0.61169 | 0.59837 |
//! | `train-classifier`, 5 epochs | 0.59763 | 0.59786 | 0.59760 | | 0.62357 |
//!
//! For networks, validation games or the validation loss decide which checkpoint is published.
//! `tensorboard --logdir runs` shows the rounds during training.

pub mod alpha;
mod batches;
mod checkpoint;
mod defaults;
mod device;
mod error;
mod learner;
mod network;
mod optimizer;
mod rows;
mod schedule;
mod settings;
mod standardisation;
mod trainer;
pub mod trees;

pub use defaults::{CLASSIFIER, Defaults, Q};
pub use device::Device;
pub use error::TrainError;
pub use network::{Layer, Layers, Network};
pub use optimizer::Optimizer;
pub use rows::{Loss, RowsError};
pub use schedule::{Parts, Schedule};
pub use settings::TrainerSettings;
pub use standardisation::Standardisation;
pub use trainer::{RowsProgress, Trainer};
