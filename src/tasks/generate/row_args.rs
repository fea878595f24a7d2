//! Settings of training rows other than those of the games, shared by `generate` and `data
//! featurise`.

use std::path::Path;

use anyhow::{Result, ensure};

use super::{GainSettings, Labels, QSettings, RowKind};
use crate::as_text;
use mineflow_minesweeper::{
    ahead::Teacher,
    features::{LocationScore, PositionFeatures, q_v2},
};
use mineflow_model::{Linear, Metadata, Target};
use serde::Serialize;

/// Default weight of P in the score of a cell, for `q-v2` rows.
const DEFAULT_ALPHA: f64 = 0.3;
/// Default teacher that values the candidates of `guess-v2` rows.
const TEACHER: &str = "roll-outs:layouts=16:unknown=0.985";
/// Default minimum number of layouts of a position that gets rows. Player 11.0 plays optimally in
/// positions with fewer layouts, unless the search exceeds its node limit.
const LEAST_LAYOUTS: u32 = 1_500;

/// Settings of training rows other than those of the games.
#[derive(clap::Args, Serialize)]
pub struct RowArgs {
    /// Choose the location score: opening (the chance of an opening) or printed (equation 4 of
    /// Sinha et al. as printed)
    #[arg(long, value_name = "SCORE", default_value_t = LocationScore::default())]
    #[serde(serialize_with = "as_text::one")]
    pub score: LocationScore,
    #[arg(long, value_name = "VALUE|FILE", help = format!(
        "For q: set the weight of the mine probability in a cell's score, a number from 0 to 1 or a file or folder of `pipeline fit-alpha` [default: {DEFAULT_ALPHA}]"
    ))]
    pub alpha: Option<String>,
    #[arg(long, value_name = "ROLL-OUTS", help = format!(
        "For guesses: set the roll-outs that value candidates, with their options; more=64 adds 64 layouts for candidates close to the best [default: {TEACHER}]"
    ))]
    pub teacher: Option<String>,
    #[arg(long, value_name = "N", help = format!(
        "For guesses: skip positions with fewer than N layouts [default: {LEAST_LAYOUTS}]"
    ))]
    pub least_layouts: Option<u32>,
}

impl RowArgs {
    /// Returns the kind of rows for a feature set.
    ///
    /// # Errors
    /// Returns an error if an option belongs to another feature set, or alpha can't be read.
    pub fn rows(&self, features: &'static dyn PositionFeatures) -> Result<RowKind> {
        self.check(features)?;
        let labels = match features.set().target {
            Target::Safe => Labels::Safe { score: self.score },
            Target::Return => Labels::Return(QSettings {
                alpha: self.alpha.as_deref().map_or_else(
                    || constant_alpha(DEFAULT_ALPHA),
                    |text| alpha(text, "--alpha"),
                )?,
                score: self.score,
                off_board: q_v2::OFF_BOARD,
            }),
            Target::Won => Labels::Won,
            Target::Gain => Labels::Gain(GainSettings {
                teacher: self.teacher()?,
                least_layouts: self.least_layouts.unwrap_or(LEAST_LAYOUTS),
            }),
        };
        Ok(RowKind { features, labels })
    }

    fn teacher(&self) -> Result<Teacher> {
        Ok(self.teacher.as_deref().unwrap_or(TEACHER).parse()?)
    }

    /// Checks that the settings fit rows with these features, without reading a file.
    ///
    /// # Errors
    /// Returns an error if a setting belongs to rows of another kind, or is out of range.
    pub fn check(&self, features: &'static dyn PositionFeatures) -> Result<()> {
        let target = features.set().target;
        let of_guesses = self.teacher.is_some() || self.least_layouts.is_some();
        ensure!(
            !of_guesses || target == Target::Gain,
            "--teacher and --least-layouts are for guesses alone"
        );
        self.alpha.as_deref().map_or(Ok(None), typed_alpha)?;
        self.teacher()?;
        ensure!(
            self.alpha.is_none() || target == Target::Return,
            "--alpha is for q rows alone"
        );
        Ok(())
    }
}

/// Returns alpha if the text is a number, or `None` if the text names a file.
///
/// # Errors
/// Returns an error if the number is not from 0 to 1.
pub fn typed_alpha(text: &str) -> Result<Option<f64>> {
    let Ok(alpha) = text.parse() else {
        return Ok(None);
    };
    ensure!(
        (0.0..=1.0).contains(&alpha),
        "--alpha {text} does not lie between 0 and 1"
    );
    Ok(Some(alpha))
}

/// Parses alpha: a number, or a file of `fit-alpha` that `reader` reads.
///
/// # Errors
/// Returns an error if the number is not from 0 to 1, or the file can't be read.
pub(crate) fn alpha(text: &str, reader: &str) -> Result<Linear> {
    match typed_alpha(text)? {
        Some(alpha) => constant_alpha(alpha),
        None => Ok(Linear::load(Path::new(text), reader)?),
    }
}

/// Returns the same alpha for every board.
fn constant_alpha(alpha: f64) -> Result<Linear> {
    let theta = [0.0, 0.0, 0.0, alpha];
    Ok(Linear::new(theta, Metadata::new(Linear::FEATURES))?)
}
