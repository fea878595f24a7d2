//! Errors in reading and writing training data.

use std::path::PathBuf;

use mineflow_store::{FEWER_THREADS, StoreError};

/// Formats a size in whole KiB below 1 MiB and in whole MiB above, rounded up if that much is
/// needed.
fn size(bytes: u64, is_needed: bool) -> String {
    let (unit, name) = if bytes < 1 << 20 {
        (1 << 10, "KiB")
    } else {
        (1 << 20, "MiB")
    };
    let size = if is_needed {
        bytes.div_ceil(unit)
    } else {
        bytes / unit
    };
    format!("{size} {name}")
}

/// An error in reading or writing data. Rows are counted from 0.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("can't {action} {}: {why}", path.display())]
    Parquet {
        action: &'static str,
        path: PathBuf,
        why: String,
    },
    #[error("can't start the threads that read and write Parquet files")]
    Threads,
    #[error("{} has no rows", .0.display())]
    NoRows(PathBuf),
    #[error("{} has no column `{column}`", path.display())]
    MissingColumn { path: PathBuf, column: &'static str },
    #[error("{}: column `{column}` holds {found}, not {expected}", path.display())]
    WrongType {
        path: PathBuf,
        column: &'static str,
        found: String,
        expected: &'static str,
    },
    #[error("{}: column `{column}` has no value in row {row}", path.display())]
    Null {
        path: PathBuf,
        column: &'static str,
        row: usize,
    },
    #[error("{}: column `{column}` is {value} in row {row}, which is not a number to learn from", path.display())]
    NotFinite {
        path: PathBuf,
        column: &'static str,
        row: usize,
        value: f32,
    },
    #[error("{}: column `{column}` is {value} in row {row}, not a number from {low} to {high}", path.display())]
    OutOfRange {
        path: PathBuf,
        column: &'static str,
        row: usize,
        value: f64,
        low: f64,
        high: f64,
    },
    #[error("{} has the hash {found}; its manifest says {expected}", path.display())]
    Hash {
        path: PathBuf,
        expected: String,
        found: String,
    },
    #[error("{} has {found} rows; its manifest says {expected}", path.display())]
    RowCount {
        path: PathBuf,
        expected: u64,
        found: u64,
    },
    #[error("{} has {rows} rows; the decisions of its shard made {made}", path.display())]
    OtherRows { path: PathBuf, rows: u64, made: u64 },
    #[error(
        "{rows} rows take {} of memory, and {} are allowed, enough for {fit} rows",
        size(*needed, true), size(*memory, false)
    )]
    Memory {
        rows: u64,
        needed: u64,
        memory: u64,
        fit: u64,
    },
    #[error(
        "learning from {rows} rows at a time takes {} of memory, and {} are allowed",
        size(*needed, true), size(*memory, false)
    )]
    Window { rows: u64, needed: u64, memory: u64 },
    #[error("{} is not a data folder: {}", .0.display(), if .0.is_file() {
        "it is a file"
    } else {
        "it has no manifest.json"
    })]
    NoManifest(PathBuf),
    #[error("the data folder {} is given twice, and its rows would count twice", .0.display())]
    Twice(PathBuf),
    #[error("{} holds rows of `{found}`, not of `{expected}`", path.display())]
    OtherFeatures {
        path: PathBuf,
        found: String,
        expected: String,
    },
    #[error("{} is not finished", .0.display())]
    Unfinished(PathBuf),
    #[error("{}: the position of row {row} can't be: {why}", path.display())]
    Position {
        path: PathBuf,
        row: usize,
        why: String,
    },
    #[error("no row of {} is in the part `{split}`", path.display())]
    EmptySplit { path: PathBuf, split: super::Split },
}

impl DataError {
    /// Returns a suggestion for the user, if there is one.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Store(error) => error.help(),
            Self::Threads => Some(FEWER_THREADS),
            Self::Position { .. } | Self::EmptySplit { .. } => None,
            Self::NoRows(_)
            | Self::Null { .. }
            | Self::NotFinite { .. }
            | Self::OutOfRange { .. }
            | Self::Parquet { .. } => {
                Some("`pipeline data verify` lists everything that is wrong with a folder")
            }
            Self::MissingColumn { .. } | Self::WrongType { .. } => {
                Some("`pipeline data show` lists the columns")
            }
            Self::Hash { .. } | Self::RowCount { .. } | Self::OtherRows { .. } => Some(
                "delete the file and give the command that made the folder once more; it makes what is missing",
            ),
            Self::Memory { .. } => Some("give fewer rows or games, or allow more with --memory"),
            Self::Window { .. } => Some(
                "allow more with --memory, or give a smaller --window, or data of fewer --games-per-shard",
            ),
            Self::Twice(_) => Some("give each folder once"),
            Self::NoManifest(_) => Some("give a folder that `pipeline generate` made"),
            Self::OtherFeatures { .. } => {
                Some("`pipeline data featurise` makes rows of another feature set")
            }
            Self::Unfinished(_) => {
                Some("give the command that made it once more; it goes on where it stopped")
            }
        }
    }
}
