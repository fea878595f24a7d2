//! Predicts the gains of the best guesses with a ranker's model.

use std::sync::Arc;

use super::model::LoadedModel;
use crate::ahead::{LayoutPlayout, Scored};
use crate::features::guess_v2::{RowScratch, append_rows};
use crate::solver::{Analysis, Layouts};
use mineflow_model::ModelScratch;

/// A ranker's model and its scratch memory.
#[derive(Debug)]
pub(super) struct Ranking {
    model: Arc<LoadedModel>,
    rows: Vec<f32>,
    gains: Vec<f32>,
    of_rows: RowScratch,
    of_model: ModelScratch,
    playout: LayoutPlayout,
}

impl Ranking {
    pub(super) fn new(model: Arc<LoadedModel>) -> Self {
        Self {
            model,
            rows: Vec::new(),
            gains: Vec::new(),
            of_rows: RowScratch::default(),
            of_model: ModelScratch::default(),
            playout: LayoutPlayout::default(),
        }
    }

    /// Returns the gain of each guess over the other guesses as predicted by the model, in wins.
    /// `of` holds the analysis of the position and the consistent layouts.
    pub(super) fn ask(&mut self, of: (&Analysis, &Layouts), scored: &[Scored]) -> &[f32] {
        let Self {
            model,
            rows,
            gains,
            of_rows,
            of_model,
            playout,
        } = self;
        rows.clear();
        gains.clear();
        append_rows(of, scored, playout, of_rows, rows);
        model.artifact().model().append(rows, gains, of_model);
        gains
    }
}
