//! Scratch of asking a ranker.

use crate::View;
use crate::ahead::{RollOut, Scored};
use crate::features::{guess_v1, guess_v2};
use crate::solver::{Analysis, Layouts};
use mineflow_model::FeatureSet;
use mineflow_model::{Model, ModelScratch};

/// Rows of candidates and what a model makes of them; kept for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranking {
    rows: Vec<f32>,
    with_cells: Vec<f32>,
    gains: Vec<f32>,
    of_rows: guess_v1::RowScratch,
    of_model: ModelScratch,
}

impl Ranking {
    /// What `model`, which reads `set`, expects each of the candidates to gain over the others, in wins.
    pub(super) fn ask(
        &mut self,
        (model, set): (&dyn Model, &FeatureSet),
        (view, parent, layouts): (&View, &Analysis, &Layouts),
        scored: &[Scored],
        roll_out: &mut RollOut,
    ) -> &[f32] {
        let Self { rows, with_cells, gains, of_rows, of_model } = self;
        rows.clear();
        gains.clear();
        guess_v1::append_rows((parent, layouts), scored, roll_out, of_rows, rows);
        if *set == guess_v2::SET {
            with_cells.clear();
            guess_v2::append_rows((view, parent), scored.iter().map(|of| of.cell), rows, with_cells);
            model.append(with_cells, gains, of_model);
        } else {
            model.append(rows, gains, of_model);
        }
        gains
    }
}
