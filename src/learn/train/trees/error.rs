//! Errors of boosting.

use hessboost::error::HessboostError;

/// Errors of boosting.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TreesError {
    #[error("there are no {0} rows")]
    NoRows(&'static str),
    #[error(
        "every one of the {rows} {split} rows has the label {label}; there is nothing to learn"
    )]
    OneLabel {
        split: &'static str,
        rows: usize,
        label: f32,
    },
    #[error("{split} row {row} has the label {label}, which can't be learnt")]
    Label {
        split: &'static str,
        row: usize,
        label: f32,
    },
    #[error("{split} row {row}, column {column}: {value} is not a number to learn from")]
    NotFinite {
        split: &'static str,
        row: usize,
        column: usize,
        value: f32,
    },
    #[error("the {split} rows have {found} columns, not {expected}")]
    Columns {
        split: &'static str,
        found: usize,
        expected: usize,
    },
    #[error("the checkpoint holds {found} trees, and only {expected} rounds are noted")]
    Checkpoint { found: usize, expected: usize },
    #[error("{doing}: {source}")]
    Library {
        doing: &'static str,
        source: HessboostError,
    },
    #[error("can't start {0} threads")]
    Threads(usize, #[source] rayon::ThreadPoolBuildError),
    #[error("the model can't be written as XGBoost's JSON: {0}")]
    Json(#[from] serde_json::Error),
}
