//! What `pipeline calibrate` writes.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::{csv_rows, ratio};
use crate::document::Estimate;
use crate::stage::report::error::ReportError;

/// The names of the tables beside that of the bins.
pub(crate) const SCORES: &str = "scores";
pub(crate) const ERRORS: &str = "errors";

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

/// How a predictor of a player scores on one kind of cells.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct Score {
    pub(crate) player: String,
    pub(crate) predictor: Predictor,
    pub(crate) cells: Cells,
    pub(crate) count: u64,
    pub(crate) brier_score: f64,
    pub(crate) log_loss: f64,
    pub(crate) calibration_error: f64,
}

/// How far a limited walk's P is from that of all solutions.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub(crate) struct LimitedP {
    pub(crate) player: String,
    pub(crate) board: String,
    pub(crate) guesses: u64,
    /// None if no guess had a boundary.
    pub(crate) mean_error: Option<f64>,
    /// Cells with P = 0, and those of them that are mines.
    pub(crate) zero_cells: u64,
    pub(crate) zero_mines: u64,
    ci_low: f64,
    ci_high: f64,
}

impl LimitedP {
    /// The share of mines among the cells with P = 0, if there are any.
    pub(crate) fn share(&self) -> Option<Estimate> {
        let value = self.zero_mines as f64 / self.zero_cells as f64;
        (self.zero_cells > 0).then_some(Estimate { value, low: self.ci_low, high: self.ci_high })
    }
}

/// The file of another table of a calibration, beside that of its bins: `calibration-scores.csv` beside `calibration.csv`.
pub(crate) fn beside(bins: &Path, table: &str) -> PathBuf {
    let name = bins.file_stem().unwrap_or_default().to_string_lossy();
    bins.with_file_name(format!("{name}-{table}.csv"))
}

/// The scores beside these bins, `None` if there is no such file.
pub(crate) fn scores(bins: &Path) -> Result<Option<Vec<Score>>, ReportError> {
    csv_rows(&beside(bins, SCORES), |score: &Score| {
        ratio("brier_score", score.brier_score)?;
        ratio("calibration_error", score.calibration_error)?;
        if score.log_loss >= 0.0 { Ok(()) } else { Err(format!("log_loss is {}", score.log_loss)) }
    })
}

/// The errors of limited P beside these bins, `None` if there is no such file.
pub(crate) fn limited_p(bins: &Path) -> Result<Option<Vec<LimitedP>>, ReportError> {
    csv_rows(&beside(bins, ERRORS), |row: &LimitedP| {
        row.mean_error.map_or(Ok(()), |error| ratio("mean_error", error))?;
        ratio("ci_low", row.ci_low)?;
        ratio("ci_high", row.ci_high)?;
        if row.zero_mines > row.zero_cells {
            return Err(format!("{} mines among {} cells", row.zero_mines, row.zero_cells));
        }
        Ok(())
    })
}
