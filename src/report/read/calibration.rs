//! What `pipeline calibrate` writes.

use std::path::Path;

use serde::Deserialize;

use super::super::error::ReportError;
use super::{csv_rows, ratio};

/// A bin of predictions.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Bin {
    pub(crate) player: String,
    pub(crate) predictor: Predictor,
    pub(crate) cells: Cells,
    /// Cells whose predicted probability of a mine lies in the bin.
    pub(crate) count: u64,
    /// Those of them that are mines.
    pub(crate) mines: u64,
    /// Mean of the predictions.
    pub(crate) predicted: f64,
}

/// Who says how likely a mine is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Predictor {
    /// The player's source of probabilities.
    Source,
    /// The model that it asks.
    Model,
}

/// Of which cells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Cells {
    /// Candidates next to an open number.
    Boundary,
    /// All other candidates.
    Elsewhere,
    /// The cell that was opened.
    Chosen,
}

/// The bins of a calibration, `None` if there is no such file.
pub(crate) fn bins(path: &Path) -> Result<Option<Vec<Bin>>, ReportError> {
    csv_rows(path, |bin: &Bin| {
        ratio("predicted", bin.predicted)?;
        if bin.count == 0 || bin.mines > bin.count {
            return Err(format!("{} mines among {} cells", bin.mines, bin.count));
        }
        Ok(())
    })
}
