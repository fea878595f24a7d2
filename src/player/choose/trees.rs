//! What boosted trees call safest.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::learned::{Learned, Wanted};
use super::{Chooser, ChoosingRule};
use crate::features::{Position, classifier_v1};
use crate::minesweeper::Cell;
use crate::model::Forest;
use crate::rng::Rng;

const WANTED: Wanted = Wanted { version: "5.0", features: classifier_v1::NAME, columns: &classifier_v1::COLUMNS };

/// The highest safe score of boosted trees, ties at random: player 5.0 (main paper, section 4.2.2).
#[derive(Clone, PartialEq, Debug)]
pub struct Trees {
    pub model: Learned<Forest>,
}

impl ChoosingRule for Trees {
    const NAME: &'static str = "trees";
    const HELP: &'static str = "what boosted trees call safest; [:model=FILE] [:candidates=covered|boundary|sampled]";

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        Ok(Self { model: Learned::read(part, WANTED)? })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        chooser.scores.best(self.model.sha256(), position, mine, rng, |scores| {
            let features = classifier_v1::Rows::new(position, self.model.location_score());
            scores.rows.extend(scores.cells.iter().flat_map(|&cell| features.row(position, cell)));
            self.model.model().predict(&scores.rows, &mut scores.values, &mut scores.forest);
        })
    }

    fn model_hash(&self) -> Option<&str> {
        Some(self.model.sha256())
    }
}

impl fmt::Display for Trees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Self::NAME, self.model)
    }
}
