//! Errors of files and folders.

use std::{
    io,
    path::{Path, PathBuf},
};

/// Advice for the user if a thread can't be started.
pub const FEWER_THREADS: &str =
    "raise the limit of processes (ulimit -u) or of memory (ulimit -v), or ask for fewer --threads";

/// Why a file or folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("can't {action} {}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("interrupted")]
    Stopped,
    #[error("{} is a folder of `{owner}`", path.display())]
    OtherOwner { path: PathBuf, owner: String },
    #[error("{} is damaged: it was changed after it was written", .0.display())]
    Damaged(PathBuf),
    #[error("another process is working in {}", .0.display())]
    Locked(PathBuf),
    #[error("{} was begun with other settings: {}", path.display(), differences.join("; "))]
    OtherSettings {
        path: PathBuf,
        differences: Vec<String>,
    },
    #[error("{} was begun for {there} {what}, and {here} are asked for", path.display())]
    Shrinks {
        path: PathBuf,
        what: &'static str,
        there: u64,
        here: u64,
    },
    #[error("{} has a file {file} and no manifest.json; no command of this program made it", path.display())]
    NoManifest { path: PathBuf, file: &'static str },
    #[error("{} is not a record of format {format}: {why}", path.display())]
    Record {
        path: PathBuf,
        format: u64,
        why: String,
    },
    #[error("{} line {line} doesn't belong here: {why}", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        why: String,
    },
}

impl StoreError {
    /// Returns a function for `map_err` that wraps an input or output error.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }

    /// Returns advice for the user on how to resolve the error, if there is any.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Io {
                action: "write", ..
            } => Some("make room or give another --out; then the same command resumes"),
            Self::Io { .. } | Self::Stopped => None,
            Self::Damaged(_) => {
                Some("put it back, or delete the folder to do its work from the start")
            }
            Self::OtherOwner { .. } => Some("give another --out; nothing there was touched"),
            Self::Locked(_) => Some("wait for it to end, or give another --out"),
            Self::OtherSettings { .. } => {
                Some("give the settings of that folder, or another --out")
            }
            Self::Shrinks { .. } => Some(
                "a series can grow and not shrink: ask for as many or more, or give another --out",
            ),
            Self::NoManifest { .. } => Some("give another --out"),
            Self::Record { .. } => {
                Some("delete that folder and make it again, or give another one")
            }
            Self::Line { .. } => {
                Some("delete that line to have its work done again, or give another --out")
            }
        }
    }
}
