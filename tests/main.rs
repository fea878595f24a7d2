//! The one integration binary: a module a subject.

mod architecture;
mod arena;
mod artifacts;
mod brute_force;
mod cli;
mod components;
#[cfg(feature = "data")]
mod data;
mod engines;
#[cfg(feature = "train")]
mod fit_alpha;
mod formats;
mod game;
#[cfg(feature = "data")]
mod generate;
mod ggp;
mod ggp_players;
mod ggp_scsp;
mod learned_players;
mod model;
mod models;
mod naive_tables;
mod players;
mod program;
mod recipes;
mod scsp;
mod solve_json;
mod tiny_models;
#[cfg(feature = "train")]
mod train_networks;
#[cfg(feature = "train")]
mod train_trees;
