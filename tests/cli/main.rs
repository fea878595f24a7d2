//! Tests of the command line's answers, without running the program.

#![allow(clippy::unwrap_used)]

#[path = "../minesweeper/brute_force.rs"]
#[allow(dead_code, reason = "the tests of `mineflow-minesweeper` use the rest")]
mod brute_force;
#[path = "../files.rs"]
mod files;
mod hard_positions;
mod memory;
mod options;
mod pipeline_files;
mod solve_json;
