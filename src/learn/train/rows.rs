//! What every training demands of its rows.

use crate::data::Table;

/// The reason why nothing can be trained on some rows.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
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

/// Checks that there are rows, of `width` finite numbers each, and that `takes` holds for every
/// target. `expected` describes such targets.
pub(super) fn check_rows(
    split: &'static str,
    table: &Table,
    width: usize,
    takes: impl Fn(f32) -> bool,
    expected: &'static str,
) -> Result<(), RowsError> {
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
