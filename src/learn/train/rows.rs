//! What every training demands of its rows.

use crate::data::Table;
use mineflow_model::Target;

/// The loss of a training run, which follows from the target of its rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Log loss of probabilities, which is the binary cross-entropy; targets are 0 or 1.
    Logarithmic,
    /// Squared error of values; targets lie in -1..=1.
    SquaredError,
}

impl Loss {
    /// Returns the loss for a target.
    pub const fn of(target: Target) -> Self {
        match target {
            Target::Safe | Target::Won => Self::Logarithmic,
            Target::Return | Target::Gain => Self::SquaredError,
        }
    }
}

/// The reason why nothing can be trained on some rows.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RowsError {
    #[error("there are no {0} rows")]
    NoRows(&'static str),
    #[error("the {split} rows have {found} columns, not {expected}")]
    Width {
        split: &'static str,
        found: usize,
        expected: usize,
    },
    #[error("{split} row {row}, column {column}: {value} is not a number to learn from")]
    NotFinite {
        split: &'static str,
        row: usize,
        column: usize,
        value: f32,
    },
    #[error("{split} row {row}: the target {value} is not {expected}")]
    Target {
        split: &'static str,
        row: usize,
        value: f32,
        expected: &'static str,
    },
    #[error(
        "every one of the {rows} {split} rows has the target {value}; there is nothing to learn"
    )]
    OneTarget {
        split: &'static str,
        rows: usize,
        value: f32,
    },
}

impl RowsError {
    /// Returns a suggestion for the user, if there is one.
    pub fn help(&self) -> Option<&'static str> {
        Some(match self {
            Self::NoRows(_) => {
                "generate more games; a game is in one split only, and thus one game is never enough"
            }
            Self::OneTarget { .. } => "generate more games",
            Self::Width { .. } | Self::NotFinite { .. } | Self::Target { .. } => {
                "generate the data again"
            }
        })
    }
}

/// Checks that there are rows, of `width` finite numbers each, whose targets fit the loss.
pub(super) fn check_rows(
    split: &'static str,
    table: &Table,
    width: usize,
    loss: Loss,
) -> Result<(), RowsError> {
    let (takes, expected): (fn(f32) -> bool, _) = match loss {
        Loss::Logarithmic => (|target| target == 0.0 || target == 1.0, "0 or 1"),
        Loss::SquaredError => (|target| (-1.0..=1.0).contains(&target), "between -1 and 1"),
    };
    if table.rows() == 0 {
        return Err(RowsError::NoRows(split));
    }
    if table.width != width {
        return Err(RowsError::Width {
            split,
            found: table.width,
            expected: width,
        });
    }
    if let Some(at) = table.features.iter().position(|value| !value.is_finite()) {
        return Err(RowsError::NotFinite {
            split,
            row: at / width,
            column: at % width,
            value: table.features[at],
        });
    }
    match table.target.iter().position(|&target| !takes(target)) {
        None => Ok(()),
        Some(row) => Err(RowsError::Target {
            split,
            row,
            value: table.target[row],
            expected,
        }),
    }
}
