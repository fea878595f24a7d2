//! What the command line calls: series of games, their tables, their folders.

pub mod bench;
pub mod boards;
#[cfg(feature = "train")]
mod boosting;
pub mod calibrate;
pub mod compare;
pub mod definition;
pub mod eval;
#[cfg(feature = "train")]
pub mod fit_alpha;
#[cfg(feature = "data")]
pub mod generate;
pub mod ggp;
pub mod ggp_agree;
pub mod ggp_fault;
pub mod ggp_game;
pub mod ggp_ladder;
pub mod ggp_match;
pub mod ggp_table;
pub mod guesses;
#[cfg(feature = "train")]
mod judgement;
mod kept_games;
pub mod merge;
pub mod models;
pub mod optimum;
pub mod part;
pub mod pipeline;
pub mod report;
mod resume;
pub mod samegame;
pub mod scaling;
pub(crate) mod series;
mod settings;
pub mod texts;
#[cfg(feature = "train")]
pub mod train_classifier;
#[cfg(feature = "train")]
pub mod train_q;
#[cfg(feature = "train")]
pub mod train_ranker;
#[cfg(feature = "train")]
pub mod train_ranker_network;
#[cfg(feature = "train")]
pub mod train_trees;
#[cfg(feature = "train")]
pub mod training;
pub mod training_records;
pub mod values;

pub use series::Engine;
