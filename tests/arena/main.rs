//! Tests of the arena: many games in parallel.

mod arena;
#[path = "../files.rs"]
mod files;
mod learned_players;
mod luck;
#[path = "../minesweeper/tiny_models.rs"]
#[allow(dead_code, reason = "the tests of `mineflow-minesweeper` use the rest")]
mod tiny_models;
