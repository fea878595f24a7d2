//! A ranker: what a model has learnt from roll-outs about the best guesses of two-step safety.

use std::fmt;

use super::super::syntax::{PartText, RecipeError};
use super::chooser::Chooser;
use super::learned::{Learned, ModelRule};
use super::rule::ChoosingRule;
use crate::Cell;
use crate::ahead::TwoStep;
use crate::features::guess_v1::CANDIDATES;
use crate::features::{GuessV1, Position, PositionFeatures};
use mineflow_model::{Forest, Mlp, ModelKind};
use mineflow_rng::Rng;

/// The greatest share of the board's cells that may be unknown, where none is given: that of the published model's rows.
const UNKNOWN: f64 = 0.94;

/// The candidate of two-step safety that a model expects to gain most; ties to the better by two-step safety.
#[derive(Clone, PartialEq, Debug)]
pub struct Ranker {
    model: Learned<RankerModel>,
    /// The greatest share of the board's cells that may be unknown; two-step safety chooses where it is more.
    unknown: f64,
}

/// Tells the model of a [`Ranker`] from others.
#[derive(Clone, Copy, Debug)]
pub struct RankerModel;

impl ModelRule for RankerModel {
    const NAME: &'static str = "ranker";
    const HELP: &'static str = "the best guesses of two-step, ranked by a model; needs posterior; [:model=FILE] \
                                [:unknown=0.94] [:candidates=covered|boundary|sampled]";
    const VERSION: &'static str = "9.0";
    const KINDS: &'static [&'static str] = &[Forest::NAME, Mlp::NAME];
    const FEATURES: &'static dyn PositionFeatures = &GuessV1;
}

impl ChoosingRule for Ranker {
    const NAME: &'static str = RankerModel::NAME;
    const HELP: &'static str = RankerModel::HELP;
    const DRAWS_LAYOUTS: bool = true;
    const LOOKS_AHEAD: bool = true;

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let unknown = part.take_share("unknown")?.unwrap_or(UNKNOWN);
        Ok(Self { model: Learned::read_model(part)?, unknown })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        let unknown = chooser.parent.unknown();
        if unknown as f64 > self.unknown * position.view.board().cells() as f64 {
            return TwoStep::default().choose(position, mine, chooser, rng);
        }
        let Chooser { parent, looking, layouts, roll_out, ranking, .. } = chooser;
        TwoStep::default().look(parent, mine, CANDIDATES, looking);
        let gains = ranking.ask(self.model.asked(), (position.view, parent, layouts), &looking.scored, roll_out);
        let ranked = looking.scored.iter().zip(gains);
        let best = ranked.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(best, _)| best.cell)
    }

    fn model_hash(&self) -> Option<&str> {
        Some(self.model.sha256())
    }
}

impl fmt::Display for Ranker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.model)?;
        if self.unknown != UNKNOWN {
            write!(f, ":unknown={}", self.unknown)?;
        }
        Ok(())
    }
}
