#![doc = include_str!("README.md")]
// The documentation is hidden, because this crate is internal to the program.
#![doc(hidden)]

mod as_text;
pub mod budget;
mod context;
pub mod cost;
pub mod help;
pub mod part;
pub mod plot;
mod program;
pub mod resume;
mod shared_args;
mod stage;
pub mod table;
pub mod training_records;
pub mod tuning;
pub mod values;
mod watched_game;

pub mod bench;
pub mod boards;
pub mod calibrate;
pub mod compare;
pub mod eval;
pub mod ggp;
pub mod ggp_fault;
pub mod ggp_game;
pub mod ggp_match;
mod kept_games;
pub mod models;
pub mod optimum;
pub mod samegame;
pub mod series;

#[cfg(feature = "train")]
mod boosting;
#[cfg(feature = "train")]
pub mod choose;
#[cfg(feature = "train")]
mod curve;
#[cfg(feature = "train")]
pub mod explain;
#[cfg(feature = "train")]
pub mod fit_alpha;
#[cfg(feature = "train")]
pub mod generate;
#[cfg(feature = "train")]
pub mod guess_set;
#[cfg(feature = "train")]
pub mod network;
#[cfg(feature = "train")]
pub mod score;
#[cfg(feature = "train")]
pub mod train_classifier;
#[cfg(feature = "train")]
pub mod train_network;
#[cfg(feature = "train")]
pub mod train_q;
#[cfg(feature = "train")]
pub mod train_trees;
#[cfg(feature = "train")]
pub mod tune;

pub use context::{
    Answer, Context, Observer, Outcome, Progress, Row, Rows, Unobserved, json_lines,
};
pub use series::Engine;
pub use shared_args::{DataArgs, FirstClickArgs, ModelArgs, SprtArgs};
pub use stage::{Settings, Stage};
