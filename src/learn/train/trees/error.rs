//! Errors of boosting.

use hessboost::error::HessboostError;

use crate::train::RowsError;

/// Errors of boosting.
#[derive(Debug, thiserror::Error)]
pub enum TreesError {
    #[error(transparent)]
    Rows(#[from] RowsError),
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
