//! Scratch of asking a ranker.

use crate::learn::model::ModelScratch;
use crate::minesweeper::features::guess_v1::RowScratch;

/// Rows of candidates and what a model makes of them; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking {
    pub(super) rows: Vec<f32>,
    pub(super) values: Vec<f32>,
    pub(super) of_rows: RowScratch,
    pub(super) model: ModelScratch,
}
