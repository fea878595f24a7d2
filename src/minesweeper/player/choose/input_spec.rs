//! The settings with which a model's input rows are computed, as recorded in the notes of its
//! artifact.

use crate::Board;
use crate::features::{LocationScore, RowSettings, q_v2};
use mineflow_model::{Fault, Linear, Metadata, Model, Target};

/// The key of the location score in the artifact's notes.
const LOCATION_SCORE: &str = "location_score";
/// The key of theta 1 to 4 (Sinha et al. 2021, equation 10), which are separated by commas.
const THETA: &str = "theta";
/// The key of the input value of cells off the board.
const OFF_BOARD: &str = "off_board";

/// The settings of a model's input rows.
#[derive(Clone, PartialEq, Debug)]
pub struct InputSpec {
    pub score: LocationScore,
    /// Alpha of equation 10 (Sinha et al. 2021); `None` for models that don't predict a return.
    pub alpha: Option<Linear>,
    /// The input value of cells off the board.
    pub off_board: f32,
}

impl InputSpec {
    /// Adds the settings to the metadata of a network on sub-states. [`Learned`](super::Learned)
    /// reads them when it loads the network.
    pub fn note(
        metadata: Metadata,
        alpha: &Linear,
        score: LocationScore,
        off_board: f32,
    ) -> Metadata {
        let theta = alpha.theta().map(|theta| theta.to_string()).join(",");
        metadata
            .note(THETA, theta)
            .note(LOCATION_SCORE, score)
            .note(OFF_BOARD, off_board)
    }

    /// Reads the settings from a model's notes. Optional settings that are missing get their
    /// default.
    pub(super) fn read(model: &dyn Model, target: Target) -> Result<Self, String> {
        let notes = model.notes();
        let score = match notes.get(LOCATION_SCORE) {
            Some(name) => name
                .parse()
                .map_err(|why| format!("notes a bad score: {why}"))?,
            None => LocationScore::default(),
        };
        let alpha = match (target, notes.get(THETA)) {
            (Target::Safe | Target::Won | Target::Gain, _) => None,
            (Target::Return, None) => return Err(Fault::MetadataMissing(THETA).to_string()),
            (Target::Return, Some(noted)) => Some(read_theta(noted)?),
        };
        let off_board = match notes.get(OFF_BOARD) {
            None => q_v2::OFF_BOARD,
            Some(noted) => {
                let value = noted
                    .trim()
                    .parse()
                    .ok()
                    .filter(|value| q_v2::OFF_BOARD_RANGE.contains(value));
                value.ok_or_else(|| bad_note(OFF_BOARD, noted, "a number from -2 to 2"))?
            }
        };
        Ok(Self {
            score,
            alpha,
            off_board,
        })
    }

    /// Returns the settings for positions on `board`.
    pub(super) fn on(&self, board: Board) -> RowSettings {
        let alpha = self.alpha.as_ref().map_or(1.0, |alpha| {
            alpha.alpha(board.width(), board.height(), board.mines())
        });
        RowSettings {
            score: self.score,
            alpha,
            off_board: self.off_board,
        }
    }
}

fn read_theta(noted: &str) -> Result<Linear, String> {
    let theta: Option<Vec<f64>> = noted
        .split(',')
        .map(|number| number.trim().parse().ok())
        .collect();
    let theta = theta.and_then(|theta| <[f64; 4]>::try_from(theta).ok());
    let theta = theta.ok_or_else(|| bad_note(THETA, noted, "four numbers separated by commas"))?;
    Linear::new(theta, Metadata::new(Linear::FEATURES)).map_err(|fault| fault.to_string())
}

fn bad_note(key: &'static str, found: &str, expected: &'static str) -> String {
    Fault::Metadata {
        key,
        found: found.to_owned(),
        expected,
    }
    .to_string()
}
