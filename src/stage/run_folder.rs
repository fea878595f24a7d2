//! The folder of a stage that works towards one result, so that it can be interrupted at any time.
//!
//! ```text
//! DIR/manifest.json   the settings, written first; at the end with the result
//!     lock            locked while a process works here; says nothing else
//! ```
//!
//! and whatever the stage writes there.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::minesweeper::arena::{FolderError, lock, setting_differences, write_whole};

const MANIFEST: &str = "manifest.json";
/// The format of the manifest that this program writes and reads.
const FORMAT: u64 = 1;

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: u64,
    program: String,
    version: String,
    /// Everything that the result depends on, by name.
    settings: Map<String, Value>,
    /// Says nothing of threads, time or machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Value>,
}

/// A folder locked for this process.
#[derive(Debug)]
pub(super) struct RunFolder {
    path: PathBuf,
    manifest: Manifest,
    /// The lock lives as long as this file is open, and ends with the process however that ends.
    _lock: File,
}

impl RunFolder {
    /// Opens the folder at `path`, made if missing, for a run with these settings.
    ///
    /// # Errors
    /// If the folder is another run's or is in use; nothing in it is then touched.
    pub(super) fn open(path: &Path, settings: &Map<String, Value>) -> Result<Self, FolderError> {
        // Looked at before the lock as well, so that a folder of other settings is left exactly as it is.
        check(path, settings)?;
        fs::create_dir_all(path).map_err(FolderError::io("make", path))?;
        let lock = lock(path)?;
        let begun = check(path, settings)?;
        let is_new = begun.is_none();
        let manifest = begun.unwrap_or_else(|| Manifest::new(settings.clone()));
        let folder = Self { path: path.to_owned(), manifest, _lock: lock };
        if is_new {
            folder.write_manifest()?;
        }
        Ok(folder)
    }

    /// The folder itself.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// What came of the run, if it is finished.
    pub(super) fn result<R: for<'a> Deserialize<'a>>(&self) -> Result<Option<R>, FolderError> {
        let result = self.manifest.result.clone().map(serde_json::from_value).transpose();
        result.map_err(|error| FolderError::Manifest { path: self.path.join(MANIFEST), why: error.to_string() })
    }

    /// Finishes the run.
    pub(super) fn finish(&mut self, result: Value) -> Result<(), FolderError> {
        self.manifest.result = Some(result);
        self.write_manifest()
    }

    /// Writes a file of the folder, whole or not at all.
    pub(super) fn write(&self, name: &str, contents: &[u8]) -> Result<(), FolderError> {
        write_whole(&self.path.join(name), contents)
    }

    /// Reads a file of the folder; `None` if there is none.
    pub(super) fn read(&self, name: &str) -> Result<Option<Vec<u8>>, FolderError> {
        read(&self.path.join(name))
    }

    fn write_manifest(&self) -> Result<(), FolderError> {
        let mut text =
            serde_json::to_vec_pretty(&self.manifest).expect("a manifest has text keys and finite numbers alone");
        text.push(b'\n');
        self.write(MANIFEST, &text)
    }
}

impl Manifest {
    fn new(settings: Map<String, Value>) -> Self {
        let (program, version) = (env!("CARGO_PKG_NAME").to_owned(), env!("CARGO_PKG_VERSION").to_owned());
        Self { format: FORMAT, program, version, settings, result: None }
    }
}

/// What came of the run in a folder, looked at from outside; `None` if it is not finished.
pub(super) fn finished_result(path: &Path) -> Result<Option<Value>, FolderError> {
    let file = path.join(MANIFEST);
    let Some(text) = read(&file)? else {
        return Ok(None);
    };
    let manifest = serde_json::from_slice::<Manifest>(&text);
    manifest
        .map(|manifest| manifest.result)
        .map_err(|error| FolderError::Manifest { path: file, why: error.to_string() })
}

/// The manifest of the folder, `None` if it has none yet.
fn check(path: &Path, settings: &Map<String, Value>) -> Result<Option<Manifest>, FolderError> {
    let file = path.join(MANIFEST);
    let Some(text) = read(&file)? else {
        return Ok(None);
    };
    let wrong = |why: String| FolderError::Manifest { path: file.clone(), why };
    let value: Value = serde_json::from_slice(&text).map_err(|error| wrong(error.to_string()))?;
    match value.get("format") {
        Some(format) if *format == FORMAT => {}
        Some(format) => return Err(wrong(format!("its format is {format}"))),
        None => return Err(wrong("it has no format".to_owned())),
    }
    let begun: Manifest = serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
    let here = Manifest::new(settings.clone());
    let differences = if (&begun.program, &begun.version) == (&here.program, &here.version) {
        setting_differences(&begun.settings, &here.settings)
    } else {
        let (there, here) = ([&begun.program, &begun.version], [&here.program, &here.version]);
        vec![format!("program is {} {} there and {} {} here", there[0], there[1], here[0], here[1])]
    };
    if differences.is_empty() {
        return Ok(Some(begun));
    }
    Err(FolderError::OtherSettings { path: path.to_owned(), differences })
}

fn read(file: &Path) -> Result<Option<Vec<u8>>, FolderError> {
    match fs::read(file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        read => read.map(Some).map_err(FolderError::io("read", file)),
    }
}
