//! What a classifier calls safest: boosted trees or a network (main paper, section 4.2.2).

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::learned::{Kind, Learned, ModelScratch, Wanted};
use super::{Chooser, ChoosingRule};
use crate::learn::model::{self, Forest};
use crate::minesweeper::Cell;
use crate::minesweeper::features::{ClassifierV2, Position, PositionFeatures, RowSettings, classifier_v2};
use crate::rng::Rng;

/// The highest safe score of boosted trees: player 5.0.
pub type Trees = Classifier<Forest>;
/// The highest safe score of a dense network: player 5.5 (table 1).
pub type Mlp = Classifier<model::Mlp>;

/// The highest safe score of a model, ties at random.
#[derive(Clone, PartialEq, Debug)]
pub struct Classifier<M> {
    pub model: Learned<M>,
}

/// A kind of model that gives safe scores.
pub trait SafeScores: Kind {
    /// The rule's name in a recipe.
    const RULE: &'static str;
    const HELP: &'static str;
    /// The version whose published model is taken where none is named.
    const VERSION: &'static str;

    /// Puts the safe scores of `rows`, three groups that end at `ends`, into `values`.
    fn score(&self, rows: &[f32], ends: [usize; 3], values: &mut Vec<f32>, scratch: &mut ModelScratch);
}

impl SafeScores for Forest {
    const RULE: &'static str = "trees";
    const HELP: &'static str = "what boosted trees call safest; [:model=FILE] [:margin=0.05] [:tie=0.01] [:candidates=covered|boundary|sampled]";
    const VERSION: &'static str = "5.0";

    /// Group by group: the more the rows of a call have in common, the more of a tree is decided for all of them.
    fn score(&self, rows: &[f32], ends: [usize; 3], values: &mut Vec<f32>, scratch: &mut ModelScratch) {
        values.clear();
        let mut start = 0;
        for end in ends {
            self.append(&rows[start * classifier_v2::WIDTH..end * classifier_v2::WIDTH], values, &mut scratch.forest);
            start = end;
        }
    }
}

impl SafeScores for model::Mlp {
    const RULE: &'static str = "mlp";
    const HELP: &'static str =
        "what a network calls safest; [:model=FILE] [:margin=0.05] [:tie=0.01] [:candidates=covered|boundary|sampled]";
    const VERSION: &'static str = "5.5";

    fn score(&self, rows: &[f32], _: [usize; 3], values: &mut Vec<f32>, scratch: &mut ModelScratch) {
        self.predict(rows, values, &mut scratch.mlp);
    }
}

impl<M: SafeScores> ChoosingRule for Classifier<M> {
    const NAME: &'static str = M::RULE;
    const HELP: &'static str = M::HELP;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let wanted = Wanted { version: M::VERSION, set: &classifier_v2::SET };
        Ok(Self { model: Learned::read(part, wanted)? })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        chooser.scores.best(&self.model, position, mine, rng, |scores| {
            // Cells off the boundary differ in their place alone, and at the board's edge they have other scores.
            let ends = scores.group(|cell| match position.boundary.contains(cell) {
                true => 2,
                false => usize::from(position.view.grid().neighbor_count(cell) < 8),
            });
            let settings = RowSettings { score: self.model.location_score(), ..RowSettings::default() };
            ClassifierV2.append_rows(position, &settings, &scores.cells, &mut scores.rows, &mut scores.features);
            self.model.model().score(&scores.rows, ends, &mut scores.values, &mut scores.scratch);
        })
    }

    fn model_hash(&self) -> Option<&str> {
        Some(self.model.sha256())
    }
}

impl<M: SafeScores> fmt::Display for Classifier<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", M::RULE, self.model)
    }
}
