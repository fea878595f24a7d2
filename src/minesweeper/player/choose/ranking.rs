//! What a ranker's model makes of the best guesses.

use std::sync::Arc;

use super::model::AskedModel;
use crate::View;
use crate::ahead::{LayoutPlayout, Scored};
use crate::features::{guess_v1, guess_v2};
use crate::solver::{Analysis, Layouts};
use mineflow_model::ModelScratch;

/// A model, and the scratch of asking it.
#[derive(Debug)]
pub(super) struct Ranking {
    model: Arc<AskedModel>,
    rows: Vec<f32>,
    with_cells: Vec<f32>,
    gains: Vec<f32>,
    of_rows: guess_v1::RowScratch,
    of_model: ModelScratch,
    playout: LayoutPlayout,
}

impl Ranking {
    pub(super) fn new(model: Arc<AskedModel>) -> Self {
        Self {
            model,
            rows: Vec::new(),
            with_cells: Vec::new(),
            gains: Vec::new(),
            of_rows: guess_v1::RowScratch::default(),
            of_model: ModelScratch::default(),
            playout: LayoutPlayout::default(),
        }
    }

    /// What the model expects each of the guesses to gain over the others, in wins.
    pub(super) fn ask(&mut self, (view, parent, layouts): (&View, &Analysis, &Layouts), scored: &[Scored]) -> &[f32] {
        let Self { model, rows, with_cells, gains, of_rows, of_model, playout } = self;
        let (asked, set) = (model.artifact().model(), model.features().set());
        rows.clear();
        gains.clear();
        guess_v1::append_rows((parent, layouts), scored, playout, of_rows, rows);
        if *set == guess_v2::SET {
            with_cells.clear();
            guess_v2::append_rows((view, parent), scored.iter().map(|of| of.cell), rows, with_cells);
            asked.append(with_cells, gains, of_model);
        } else {
            asked.append(rows, gains, of_model);
        }
        gains
    }
}
