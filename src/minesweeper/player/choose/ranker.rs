//! A ranker: what a model has learnt from roll-outs about the best guesses of two-step safety.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::ranking::Ranking;
use super::rule::ChoosingRule;
use crate::learn::model::{Artifact, Expected};
use crate::minesweeper::Cell;
use crate::minesweeper::ahead::TwoStep;
use crate::minesweeper::features::Position;
use crate::minesweeper::features::guess_v1::{self, CANDIDATES, append_rows};
use crate::rng::Rng;

/// The candidate of two-step safety that a model expects to gain most; ties to the better by two-step safety.
#[derive(Clone, Debug)]
pub struct Ranker {
    path: PathBuf,
    sha256: String,
    artifact: Arc<Artifact>,
    /// The greatest share of the board's cells that may be unknown; two-step safety chooses where it is more.
    unknown: f64,
}

impl PartialEq for Ranker {
    fn eq(&self, other: &Self) -> bool {
        self.sha256 == other.sha256 && self.unknown == other.unknown
    }
}

impl ChoosingRule for Ranker {
    const NAME: &'static str = "ranker";
    const HELP: &'static str = "the best guesses of two-step, ranked by a model; needs posterior; :model=FILE \
                                [:unknown=0.5] [:candidates=covered|boundary|sampled]";
    const DRAWS_LAYOUTS: bool = true;
    const LOOKS_AHEAD: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let unknown = part.take_share("unknown")?.unwrap_or(0.5);
        let path = part.take("model", "a file", |value| (!value.is_empty()).then(|| PathBuf::from(value)))?;
        let missing = RecipeError::OptionMissing { part: Self::NAME, option: "model", expected: "a file" };
        let path = path.ok_or(missing)?;
        let loaded = Artifact::load(&path, &Expected::new("`ranker`", &guess_v1::SET));
        let refused = |why: String| RecipeError::Model { part: Self::NAME.to_owned(), why };
        let loaded = loaded.map_err(|error| refused(error.to_string()))?;
        Ok(Self { path, sha256: loaded.sha256, artifact: Arc::new(loaded.artifact), unknown })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let unknown = chooser.parent.unknown();
        if unknown as f64 > self.unknown * position.view.board().cells() as f64 {
            return TwoStep::default().choose(position, mine, chooser, rng);
        }
        let Chooser { parent, looking, layouts, roll_out, ranking, .. } = chooser;
        TwoStep::default().look(parent, mine, CANDIDATES, looking);
        let Ranking { rows, values, of_rows, model } = ranking;
        rows.clear();
        values.clear();
        append_rows((parent, layouts), &looking.scored, roll_out, of_rows, rows);
        self.artifact.model().append(rows, values, model);
        let ranked = looking.scored.iter().zip(values.iter());
        let best = ranked.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(best, _)| best.cell)
    }

    fn model_hash(&self) -> Option<&str> {
        Some(&self.sha256)
    }
}

impl fmt::Display for Ranker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:model={}:unknown={}", Self::NAME, self.path.display(), self.unknown)
    }
}
