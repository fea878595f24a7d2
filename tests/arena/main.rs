//! Tests of the arena: many games in parallel.

mod arena;
#[path = "../files.rs"]
mod files;
mod luck;
mod statistics;
