//! Tests of search that names no game.

mod cross_entropy;
mod naive_tables;
mod scsp;
