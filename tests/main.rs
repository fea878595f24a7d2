//! The one integration binary: a module a subject.

mod architecture;
mod arena;
mod artifacts;
mod brute_force;
mod children;
mod cli;
mod components;
mod cross_entropy;
#[cfg(feature = "data")]
mod data;
mod engines;
#[cfg(feature = "data")]
mod feature_rows;
#[cfg(feature = "train")]
mod fit_alpha;
mod formats;
mod game;
#[cfg(feature = "data")]
mod generate;
mod ggp;
mod ggp_agreement;
mod ggp_ladder;
mod ggp_players;
mod ggp_scsp;
mod ggp_solve;
mod ggp_table;
mod guess_stage;
mod hard_positions;
mod layouts;
mod learned_players;
#[cfg(feature = "train")]
mod look_ahead;
mod luck;
mod model;
mod models;
mod monte_carlo_players;
mod mutated;
mod naive_tables;
mod no_guess;
mod optimum;
mod parts;
mod pins;
mod pipelines;
mod play;
mod play_files;
mod play_screen;
mod play_terminal;
mod players;
mod program;
mod recipes;
mod replay;
mod report;
mod report_samegame;
#[cfg(feature = "train")]
mod roll_outs;
mod samegame;
mod samegame_program;
mod samegame_rivals;
mod samegame_tune;
mod scsp;
mod search;
mod serve;
mod side_by_side;
mod solve_json;
mod stages;
mod strength;
mod subsets;
mod tiny_models;
#[cfg(feature = "train")]
mod train_networks;
#[cfg(feature = "train")]
mod train_trees;
#[cfg(feature = "train")]
mod train_windows;
#[cfg(unix)]
mod trust;
