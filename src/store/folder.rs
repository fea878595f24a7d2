//! A folder in which work is kept, so that it can be interrupted at any time.
//!
//! ```text
//! DIR/manifest.json   what the work depends on, written first; its result, once it is finished
//!     lock            locked while a process works here; its contents mean nothing
//! ```
//!
//! and whatever the work writes there.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Program, StoreError, differences, read, read_record, remove_file, write, write_record};

const MANIFEST: &str = "manifest.json";
/// The format of the manifest that this program writes and reads. 2: a series of games has the form of all others.
const FORMAT: u64 = 2;

/// What a folder is to be used for.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Purpose {
    /// Everything that results depend on, by name. Not threads, time or machine.
    pub settings: Map<String, Value>,
    /// The setting that may grow, a whole number: what is there is then kept and added to.
    pub grows: Option<&'static str>,
    /// Files that only a folder of this kind has: without a manifest beside them, it is another program's.
    pub own: &'static [&'static str],
    /// Those of them that hold results, so that they go when the folder grows.
    pub results: &'static [&'static str],
}

impl Purpose {
    /// A purpose with these settings that neither grows nor knows its files.
    pub fn of(settings: Map<String, Value>) -> Self {
        Self { settings, ..Self::default() }
    }

    fn grown(&self, settings: &Map<String, Value>) -> Option<u64> {
        settings.get(self.grows?)?.as_u64()
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: u64,
    program: String,
    version: String,
    settings: Map<String, Value>,
    /// Says nothing of threads, time or machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
}

/// A folder locked for this process.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    _lock: Lock,
}

impl Folder {
    /// Opens the folder at `path`, made if missing.
    ///
    /// # Errors
    /// If the folder has another purpose or is in use; nothing in it is then touched.
    pub fn open(path: &Path, purpose: &Purpose) -> Result<Self, StoreError> {
        // Looked at before the lock as well, so that a folder of other settings is left exactly as it is.
        check(path, purpose)?;
        fs::create_dir_all(path).map_err(StoreError::io("make", path))?;
        let lock = Lock::take(path)?;
        let known = check(path, purpose)?;
        let is_as_wanted = known.as_ref().is_some_and(|known| known.settings == purpose.settings);
        let new = || Manifest {
            format: FORMAT,
            program: Program::NAME.to_owned(),
            version: Program::VERSION.to_owned(),
            settings: purpose.settings.clone(),
            result: None,
        };
        let manifest = known.filter(|_| is_as_wanted).unwrap_or_else(new);
        let folder = Self { path: path.to_owned(), manifest, _lock: lock };
        if !is_as_wanted {
            // Results of fewer games beside a manifest of more would be another series' results.
            purpose.results.iter().try_for_each(|file| remove_file(&path.join(file)))?;
            folder.write_manifest()?;
        }
        Ok(folder)
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What came of the work, if it is finished.
    ///
    /// # Errors
    /// If that is not an `R`.
    pub fn result<R: for<'a> Deserialize<'a>>(&self) -> Result<Option<R>, StoreError> {
        let result = self.manifest.result.clone().map(serde_json::from_value).transpose();
        result.map_err(|error| wrong(&self.path.join(MANIFEST), error.to_string()))
    }

    /// Finishes the work.
    ///
    /// # Errors
    /// If the manifest can't be written.
    ///
    /// # Panics
    /// If `result` can't be JSON.
    pub fn finish(&mut self, result: &impl Serialize) -> Result<(), StoreError> {
        self.manifest.result =
            Some(serde_json::to_value(result).expect("a result has text keys and finite numbers alone"));
        self.write_manifest()
    }

    /// Writes a file of the folder, whole or not at all.
    ///
    /// # Errors
    /// If it can't be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), StoreError> {
        write(&self.path.join(name), contents)
    }

    /// Reads a file of the folder; `None` if there is none.
    ///
    /// # Errors
    /// If it is there and can't be read.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        read(&self.path.join(name))
    }

    /// The result of the work in the folder at `path`, looked at from outside; `None` if it is not finished.
    ///
    /// # Errors
    /// If its manifest can't be read.
    pub fn finished_result(path: &Path) -> Result<Option<Value>, StoreError> {
        let manifest: Option<Manifest> = read_record(&path.join(MANIFEST), FORMAT)?;
        Ok(manifest.and_then(|manifest| manifest.result))
    }

    fn write_manifest(&self) -> Result<(), StoreError> {
        write_record(&self.path.join(MANIFEST), &self.manifest)
    }
}

/// The manifest of a folder that may be used for `purpose`, `None` if it has none yet.
fn check(path: &Path, purpose: &Purpose) -> Result<Option<Manifest>, StoreError> {
    let Some(known) = read_record::<Manifest>(&path.join(MANIFEST), FORMAT)? else {
        let file = purpose.own.iter().copied().find(|file| path.join(file).exists());
        return file.map_or(Ok(None), |file| Err(StoreError::NoManifest { path: path.to_owned(), file }));
    };
    let mut there = known.settings.clone();
    let grown = purpose.grown(&there).zip(purpose.grown(&purpose.settings));
    if let Some((name, _)) = purpose.grows.zip(grown) {
        there.insert(name.to_owned(), purpose.settings[name].clone());
    }
    let program = Program::difference((&known.program, &known.version), (Program::NAME, Program::VERSION));
    let differences: Vec<_> = program.into_iter().chain(differences(&there, &purpose.settings)).collect();
    match grown {
        _ if !differences.is_empty() => Err(StoreError::OtherSettings { path: path.to_owned(), differences }),
        Some((there, here)) if there > here => {
            let what = purpose.grows.expect("something grows");
            Err(StoreError::Shrinks { path: path.to_owned(), what, there, here })
        }
        _ => Ok(Some(known)),
    }
}

fn wrong(path: &Path, why: String) -> StoreError {
    StoreError::Record { path: path.to_owned(), format: FORMAT, why }
}

/// A folder's lock. It ends when this is dropped, and with the process however that ends.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// The name of the file that is locked.
    pub const FILE: &str = "lock";

    /// Locks the folder at `path` for this process.
    ///
    /// # Errors
    /// If another process has it.
    pub fn take(path: &Path) -> Result<Self, StoreError> {
        let file = path.join(Self::FILE);
        let opened = File::options().write(true).create(true).truncate(false).open(&file);
        let opened = opened.map_err(StoreError::io("open", &file))?;
        match opened.try_lock() {
            Ok(()) => Ok(Self { _file: opened }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Locked(path.to_owned())),
            Err(TryLockError::Error(source)) => Err(StoreError::Io { action: "lock", path: file, source }),
        }
    }
}
