//! What can be wrong with the files of a report.

use std::path::{Path, PathBuf};

use mineflow_store::StoreError;

/// Why there is no report. A file that doesn't exist is not an error: the page says what is missing.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{} line {line}: {why}", path.display())]
    Line {
        path: PathBuf,
        line: u64,
        why: String,
    },
    #[error("{}: {why}", path.display())]
    File { path: PathBuf, why: String },
}

impl ReportError {
    /// What to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Store(_) => "check the rights of the file",
            Self::Line { .. } | Self::File { .. } => {
                "write the file again with the command that made it, or take it away: the report then says that it is missing"
            }
        }
    }

    pub(crate) fn line(path: &Path, line: u64, why: impl Into<String>) -> Self {
        Self::Line {
            path: path.to_owned(),
            line,
            why: why.into(),
        }
    }

    pub(crate) fn file(path: &Path, why: impl Into<String>) -> Self {
        Self::File {
            path: path.to_owned(),
            why: why.into(),
        }
    }
}
