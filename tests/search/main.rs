//! Tests of the game-independent search.

#![allow(clippy::unwrap_used)]

mod cross_entropy;
mod naive_tables;
mod names;
mod scsp;
