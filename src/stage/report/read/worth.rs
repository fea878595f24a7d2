//! What ideas are worth: tables of `pipeline compare`, and figures of the prototype.

use std::path::Path;

use serde::Deserialize;

use super::files::csv_rows;
use crate::error::ReportError;
use mineflow_document::Estimate;

/// A row of `worth.csv`: an idea, and what `pipeline compare --luck-corrected` says of a player with it (`a`) and one without (`b`).
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct WorthRow {
    pub(crate) idea: String,
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) first_click: String,
    pub(crate) games: u64,
    corrected_difference: f64,
    corrected_ci_low: f64,
    corrected_ci_high: f64,
}

/// A row of `tried.csv`: what an idea gained in the prototype of 8.0.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct TriedRow {
    pub(crate) idea: String,
    pub(crate) against: String,
    /// In points; `None` where nothing is known but that it gained nothing.
    pub(crate) gain: Option<f64>,
    /// Of the gain, in points, where it is known.
    pub(crate) standard_error: Option<f64>,
}

impl WorthRow {
    /// Win ratio with the idea less that without, luck-corrected.
    pub(crate) fn gain(&self) -> Estimate {
        Estimate { value: self.corrected_difference, low: self.corrected_ci_low, high: self.corrected_ci_high }
    }
}

/// The worth of ideas; `None` if there is no such file.
pub(crate) fn worth(path: &Path) -> Result<Option<Vec<WorthRow>>, ReportError> {
    csv_rows(path, |row: &WorthRow| {
        let WorthRow { corrected_difference: gain, corrected_ci_low: low, corrected_ci_high: high, .. } = *row;
        match low <= gain && gain <= high && (-1.0..=1.0).contains(&gain) {
            true => Ok(()),
            false => Err(format!("corrected_difference is {gain}, its interval {low} to {high}")),
        }
    })
}

/// What was tried in the prototype; `None` if there is no such file.
pub(crate) fn tried(path: &Path) -> Result<Option<Vec<TriedRow>>, ReportError> {
    csv_rows(path, |row: &TriedRow| {
        let is_right = row.gain.is_none_or(f64::is_finite) && row.standard_error.is_none_or(|error| error > 0.0);
        if is_right { Ok(()) } else { Err("a gain is a number of points, a standard error above 0".to_owned()) }
    })
}
