//! A line of the journal of a series: a game.

use serde::{Deserialize, Serialize};

use mineflow_samegame::Move;

/// A game of the series.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    /// Which algorithm, budget and board, in the order of the series.
    pub(super) game: usize,
    pub(super) score: i32,
    pub(super) cleared: bool,
    pub(super) playouts: u64,
    pub(super) nodes: u64,
    pub(super) mean_depth: Option<f64>,
    pub(super) deepest: Option<f64>,
    pub(super) moves: Vec<Move>,
}

/// What a game took.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cost {
    /// As in its record.
    pub(super) game: usize,
    pub(super) cpu_seconds: f64,
}
