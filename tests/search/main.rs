//! Tests of the game-independent search.

mod cross_entropy;
mod naive_tables;
mod scsp;
