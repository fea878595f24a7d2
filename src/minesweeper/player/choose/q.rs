//! The highest reward to expect.

use std::fmt;
use std::sync::Arc;

use super::super::syntax::{PartText, RecipeError};
use super::learned::{LOCATION_SCORE, Learned, Wanted, bad_note};
use super::{Chooser, ChoosingRule};
use crate::learn::model::{self, Linear, Metadata};
use crate::minesweeper::Cell;
use crate::minesweeper::features::{LocationScore, Position, PositionFeatures, QV2, RowSettings, q_v2};
use crate::rng::Rng;

const WANTED: Wanted = Wanted { version: "6.5", set: &q_v2::SET };

/// The note of an artifact with theta 1 to 4 of equation 10, separated by commas.
const THETA: &str = "theta";

/// The note with the value of a cell off the board.
const OFF_BOARD: &str = "off_board";

/// The highest Q of the actions' sub-states, ties at random: players 6.0 and 6.5 (main paper, section 4.2.3, table 2).
#[derive(Clone, PartialEq, Debug)]
pub struct Q {
    pub model: Learned<model::Mlp>,
    /// Alpha as the model's sub-states were made with.
    pub alpha: Arc<Linear>,
    /// The value of a cell off the board in them.
    pub off_board: f32,
}

impl Q {
    /// Adds to the metadata of a Q-network how the sub-states that it reads are made; [`Q`] reads it back.
    pub fn note(metadata: Metadata, alpha: &Linear, score: LocationScore, off_board: f32) -> Metadata {
        let theta = alpha.theta().map(|theta| theta.to_string()).join(",");
        metadata.note(THETA, theta).note(LOCATION_SCORE, score).note(OFF_BOARD, off_board)
    }
}

impl ChoosingRule for Q {
    const NAME: &'static str = "q";
    const HELP: &'static str = "the highest reward that a network expects; [:model=FILE] [:margin=0.05] [:tie=0.01] [:candidates=covered|boundary|sampled]";

    fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let model: Learned<model::Mlp> = Learned::read(part, WANTED)?;
        let refused = |why| RecipeError::Model { part: part.name().to_owned(), why };
        let metadata = model.model().metadata();
        let in_model = |why| refused(format!("{} {why}", model.source()));
        let alpha = read_alpha(metadata).map_err(in_model)?;
        let off_board = read_off_board(metadata).map_err(in_model)?;
        Ok(Self { model, alpha: Arc::new(alpha), off_board })
    }

    fn choose(&self, position: &Position<'_>, mine: &[f64], chooser: &mut Chooser, rng: &mut Rng) -> Option<Cell> {
        chooser.scores.best(&self.model, position, mine, rng, |scores| {
            let board = position.view.board();
            let alpha = self.alpha.alpha(board.width(), board.height(), board.mines());
            let (score, off_board) = (self.model.location_score(), self.off_board);
            let settings = RowSettings { score, alpha, off_board };
            QV2.append_rows(position, &settings, &scores.cells, &mut scores.rows, &mut scores.features);
            self.model.model().predict(&scores.rows, &mut scores.values, &mut scores.scratch.mlp);
        })
    }

    fn model_hash(&self) -> Option<&str> {
        Some(self.model.sha256())
    }
}

fn read_alpha(metadata: &Metadata) -> Result<Linear, String> {
    let noted = metadata.notes.get(THETA).ok_or("doesn't say `theta` in its metadata")?;
    let bad = || bad_note(THETA, noted, "four numbers separated by commas");
    let theta: Vec<f64> =
        noted.split(',').map(|number| number.trim().parse()).collect::<Result<_, _>>().map_err(|_| bad())?;
    let theta = <[f64; 4]>::try_from(theta).map_err(|_| bad())?;
    Linear::new(theta, Metadata::new(Linear::FEATURES)).map_err(|fault| fault.to_string())
}

fn read_off_board(metadata: &Metadata) -> Result<f32, String> {
    let Some(noted) = metadata.notes.get(OFF_BOARD) else {
        return Ok(q_v2::OFF_BOARD);
    };
    let value = noted.trim().parse().ok().filter(|value| q_v2::OFF_BOARD_RANGE.contains(value));
    value.ok_or_else(|| bad_note(OFF_BOARD, noted, "a number from -2 to 2"))
}

impl fmt::Display for Q {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", Self::NAME, self.model)
    }
}
