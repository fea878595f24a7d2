//! Tests that run the program or need several crates, with one module per subject.

#![allow(clippy::unwrap_used)]

mod byte_order_marks;
mod cli;
#[cfg(feature = "train")]
mod data;
#[cfg(unix)]
mod engines;
mod examples;
mod files;
mod first_clicks;
#[cfg(feature = "train")]
mod fit_alpha;
mod ggp_match;
mod ggp_program;
#[cfg(all(unix, feature = "train"))]
mod guide;
mod luck;
mod minesweeper_program;
mod models;
mod mutated;
#[path = "minesweeper/other_proofs.rs"]
mod other_proofs;
mod parts;
mod pins;
mod pipelines;
mod program;
mod puzzles;
mod replay;
mod report;
#[cfg(feature = "train")]
mod roll_outs;
#[cfg(all(unix, feature = "train"))]
mod same_bytes;
mod samegame_program;
mod samegame_tune;
#[cfg(feature = "train")]
mod score;
#[cfg(unix)]
mod sequential;
mod serve;
mod serve_boards;
mod settings;
#[cfg(all(feature = "train", target_os = "linux"))]
mod threads;
#[cfg(feature = "train")]
mod train_networks;
#[cfg(feature = "train")]
mod train_trees;
#[cfg(feature = "train")]
mod train_windows;
#[cfg(feature = "train")]
mod training_helps;
#[cfg(unix)]
mod trust;
#[cfg(feature = "train")]
mod tune;
mod unfinish;
