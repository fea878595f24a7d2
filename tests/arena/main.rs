//! Tests of the arena: many games in parallel.

#![allow(clippy::unwrap_used)]

mod arena;
#[path = "../files.rs"]
mod files;
mod luck;
mod records;
mod statistics;
