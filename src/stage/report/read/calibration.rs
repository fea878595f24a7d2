//! What `pipeline calibrate` writes.

use std::path::Path;

use super::files::{csv_rows, ratio};
use crate::error::ReportError;
use mineflow_stage_measure::calibrate::{CalibrationRow, ERRORS, ErrorRow, SCORES, ScoreRow, beside};

/// The bins of a calibration, `None` if there is no such file.
pub(crate) fn bins(path: &Path) -> Result<Option<Vec<CalibrationRow>>, ReportError> {
    csv_rows(path, |bin: &CalibrationRow| {
        ratio("predicted", bin.predicted)?;
        if bin.count == 0 || bin.mines > bin.count {
            return Err(format!("{} mines among {} cells", bin.mines, bin.count));
        }
        Ok(())
    })
}

/// The scores beside these bins, `None` if there is no such file.
pub(crate) fn scores(bins: &Path) -> Result<Option<Vec<ScoreRow>>, ReportError> {
    csv_rows(&beside(bins, SCORES), |score: &ScoreRow| {
        ratio("brier_score", score.brier_score)?;
        ratio("calibration_error", score.calibration_error)?;
        if score.log_loss >= 0.0 { Ok(()) } else { Err(format!("log_loss is {}", score.log_loss)) }
    })
}

/// The errors of limited P beside these bins, `None` if there is no such file.
pub(crate) fn limited_p(bins: &Path) -> Result<Option<Vec<ErrorRow>>, ReportError> {
    csv_rows(&beside(bins, ERRORS), |row: &ErrorRow| {
        row.mean_error.map_or(Ok(()), |error| ratio("mean_error", error))?;
        row.share.map_or(Ok(()), |share| ratio("share", share))?;
        ratio("ci_low", row.ci_low)?;
        ratio("ci_high", row.ci_high)?;
        if row.zero_mines > row.zero_cells {
            return Err(format!("{} mines among {} cells", row.zero_mines, row.zero_cells));
        }
        Ok(())
    })
}
