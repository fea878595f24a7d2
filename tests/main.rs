//! The one integration binary: a module a subject.

mod architecture;
mod arena;
mod artifacts;
mod brute_force;
mod cli;
mod components;
mod engines;
mod formats;
mod game;
mod model;
mod models;
mod players;
mod program;
mod recipes;
mod solve_json;
