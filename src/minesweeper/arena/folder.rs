//! The folder in which a series of games is kept, so that it can be interrupted at any time.
//!
//! ```text
//! DIR/manifest.json   the settings, written first
//!     journal.jsonl   what was played, a record a line (`Record`)
//!     eval.csv        or compare.csv: the table of the series, once all its games are played
//!     lock            locked while a process works here; says nothing else
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::journal::Journal;
use super::ledger::Ledger;

/// The format of the folder that this program writes and reads.
const FORMAT: u64 = 1;
/// The tables that a finished series may have written.
const TABLES: [&str; 2] = ["eval.csv", "compare.csv"];

/// What a folder was made for. Says nothing of threads, time or machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: u64,
    program: String,
    version: String,
    /// Everything that results depend on, by name.
    pub settings: Map<String, Value>,
    /// Games of each configuration; may grow.
    pub games: u32,
    /// Configurations, numbered from 0 in the journal.
    pub configurations: Vec<String>,
}

impl Manifest {
    /// The manifest of this version of the program.
    pub fn new(settings: Map<String, Value>, configurations: Vec<String>, games: u32) -> Self {
        let (program, version) = (env!("CARGO_PKG_NAME").to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self { format: FORMAT, program, version, settings, games, configurations }
    }

    /// What in `other` is not as it is here, in words; empty if games of one may join games of the other.
    fn differences(&self, other: &Self) -> Vec<String> {
        let mut differences = Vec::new();
        if (&self.program, &self.version) != (&other.program, &other.version) {
            differences.push(format!(
                "program is {} {} there and {} {} here",
                self.program, self.version, other.program, other.version
            ));
        }
        differences.extend(setting_differences(&self.settings, &other.settings));
        differences
    }
}

/// What in the settings `here` is not as it is `there`, in words.
pub(crate) fn setting_differences(there: &Map<String, Value>, here: &Map<String, Value>) -> Vec<String> {
    let mut names: Vec<_> = there.keys().chain(here.keys()).collect();
    names.sort();
    names.dedup();
    let show = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
    let differing = names.into_iter().map(|name| (name, there.get(name), here.get(name)));
    let differing = differing.filter(|(_, there, here)| there != here);
    differing.map(|(name, there, here)| format!("{name} is {} there and {} here", show(there), show(here))).collect()
}

/// Why a folder can't be used.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("can't {action} {}", path.display())]
    Io { action: &'static str, path: PathBuf, source: io::Error },
    #[error("another process is at work in {}", .0.display())]
    Locked(PathBuf),
    #[error("{} was begun with other settings: {}", path.display(), differences.join("; "))]
    OtherSettings { path: PathBuf, differences: Vec<String> },
    #[error("{} was begun for {there} games of each player and board, and {here} are asked for", path.display())]
    FewerGames { path: PathBuf, there: u32, here: u32 },
    #[error("{} has a file {file} and no manifest.json, so it is no folder of a series", path.display())]
    NoManifest { path: PathBuf, file: &'static str },
    #[error("{} is no manifest of format {FORMAT}: {why}", path.display())]
    Manifest { path: PathBuf, why: String },
    #[error("{} line {line} is no record of this series: {why}", path.display())]
    Record { path: PathBuf, line: usize, why: String },
}

impl FolderError {
    /// Wraps an input or output error; for `map_err`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io { action, path: path.to_owned(), source }
    }

    /// What to do about it.
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::Io { .. } => None,
            Self::Locked(_) => Some("wait for it to end, or give another --out"),
            Self::OtherSettings { .. } => Some("give the settings of that folder, or another --out"),
            Self::FewerGames { .. } => {
                Some("a series can grow and not shrink: ask for as many games or more, or give another --out")
            }
            Self::NoManifest { .. } | Self::Manifest { .. } => Some("give another --out"),
            Self::Record { .. } => Some("delete that line to have its games played again, or give another --out"),
        }
    }
}

/// A folder locked for this process.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    journal: Journal,
    /// The lock lives as long as this file is open, and ends with the process however that ends.
    _lock: File,
}

impl Folder {
    /// Opens the folder at `path`, made if missing, for the series of `manifest`, and gives it with what was played
    /// there.
    ///
    /// # Errors
    /// If the folder is another series' or is in use; nothing in it is then touched.
    pub fn open(path: &Path, manifest: &Manifest) -> Result<(Self, Ledger), FolderError> {
        // Looked at before the lock as well, so that a folder of other settings is left exactly as it is.
        check(path, manifest)?;
        fs::create_dir_all(path).map_err(FolderError::io("make", path))?;
        let lock = lock(path)?;
        let begun = check(path, manifest)?;
        if begun != Some(manifest.games) {
            // A table of fewer games beside a manifest of more would tell of another series.
            remove_tables(path)?;
            write_whole(&path.join("manifest.json"), &pretty(manifest))?;
        }
        let mut ledger = Ledger::new(manifest.configurations.len(), manifest.games);
        let journal = Journal::open(path.join("journal.jsonl"), &mut ledger)?;
        Ok((Self { path: path.to_owned(), journal, _lock: lock }, ledger))
    }

    /// The journal, for appending.
    pub(super) fn journal(&mut self) -> &mut Journal {
        &mut self.journal
    }

    /// Writes a file of the folder: under another name first, then renamed, so that what exists is complete.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), FolderError> {
        write_whole(&self.path.join(name), contents)
    }
}

/// The number of games that the folder was begun for, `None` if it is none yet.
fn check(path: &Path, manifest: &Manifest) -> Result<Option<u32>, FolderError> {
    let file = path.join("manifest.json");
    let text = match fs::read(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let left_there = TABLES.into_iter().chain(["journal.jsonl"]).find(|file| path.join(file).exists());
            return match left_there {
                Some(file) => Err(FolderError::NoManifest { path: path.to_owned(), file }),
                None => Ok(None),
            };
        }
        read => read.map_err(FolderError::io("read", &file))?,
    };
    let begun = parse(&text).map_err(|why| FolderError::Manifest { path: file, why })?;
    let differences = begun.differences(manifest);
    if !differences.is_empty() {
        return Err(FolderError::OtherSettings { path: path.to_owned(), differences });
    }
    if begun.games > manifest.games {
        return Err(FolderError::FewerGames { path: path.to_owned(), there: begun.games, here: manifest.games });
    }
    Ok(Some(begun.games))
}

fn parse(text: &[u8]) -> Result<Manifest, String> {
    let value: Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    match value.get("format") {
        Some(format) if *format == FORMAT => serde_json::from_value(value).map_err(|error| error.to_string()),
        Some(format) => Err(format!("its format is {format}")),
        None => Err("it has no format".to_owned()),
    }
}

/// Locks a folder for this process, for as long as the file that this gives is open.
pub(crate) fn lock(path: &Path) -> Result<File, FolderError> {
    let file = path.join("lock");
    let lock =
        File::options().write(true).create(true).truncate(false).open(&file).map_err(FolderError::io("open", &file))?;
    match lock.try_lock() {
        Ok(()) => Ok(lock),
        Err(TryLockError::WouldBlock) => Err(FolderError::Locked(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(FolderError::Io { action: "lock", path: file, source }),
    }
}

fn remove_tables(path: &Path) -> Result<(), FolderError> {
    for table in TABLES.map(|table| path.join(table)) {
        match fs::remove_file(&table) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(FolderError::io("remove", &table)(error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn pretty(manifest: &Manifest) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(manifest).expect("a manifest has text keys and finite numbers alone");
    text.push(b'\n');
    text
}

/// Writes a file under another name first, then renames it, so that what exists is complete.
pub(crate) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), FolderError> {
    let unfinished = path.with_added_extension("tmp");
    fs::write(&unfinished, contents).map_err(FolderError::io("write", &unfinished))?;
    fs::rename(&unfinished, path).map_err(FolderError::io("write", path))
}
