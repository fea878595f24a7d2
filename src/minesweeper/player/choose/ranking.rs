//! Scratch of asking a ranker.

use crate::ahead::{RollOut, Scored};
use crate::features::guess_v1;
use crate::solver::{Analysis, Layouts};
use mineflow_model::{Model, ModelScratch};

/// Rows of candidates and what a model makes of them; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking {
    rows: Vec<f32>,
    gains: Vec<f32>,
    of_rows: guess_v1::RowScratch,
    of_model: ModelScratch,
}

impl Ranking {
    /// What `model` expects each of the candidates to gain over the others, in wins.
    pub(super) fn ask(
        &mut self,
        model: &dyn Model,
        of: (&Analysis, &Layouts),
        scored: &[Scored],
        roll_out: &mut RollOut,
    ) -> &[f32] {
        let Self { rows, gains, of_rows, of_model } = self;
        rows.clear();
        gains.clear();
        guess_v1::append_rows(of, scored, roll_out, of_rows, rows);
        model.append(rows, gains, of_model);
        gains
    }
}
