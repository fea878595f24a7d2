//! Tests of the rules, the solvers and the players of Minesweeper.

#![allow(clippy::unwrap_used)]

mod brute_force;
mod children;
mod components;
mod dead;
mod engines;
#[path = "../files.rs"]
mod files;
mod formats;
mod game;
mod guess_rows;
mod influence;
mod layouts;
mod learned_players;
mod line;
mod living;
mod look_ahead;
mod monte_carlo_players;
mod no_guess;
mod optimum;
mod other_proofs;
mod play;
mod players;
mod proofs;
mod recipes;
mod replays;
mod reviews;
mod roll_outs;
mod subsets;
mod tiny_models;
