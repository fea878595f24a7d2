//! A folder that records work, so that the work can be interrupted and resumed at any time.
//!
//! ```text
//! DIR/manifest.json   what the work depends on, written first; when it is finished, also its result and the hash of every file
//!     lock            locked while a process works here; empty
//! ```
//!
//! The files of the work itself are in the same folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    Lock, Program, Seal, StoreError, damage, differences, lies_inside,
    owner::{refuse_in_sealed, refuse_other_owner},
    read, read_record, remove_file, seal, sha256, write, write_record,
};

pub(super) const MANIFEST: &str = "manifest.json";
/// The name of the file with the record of a pipeline's stage, which is written after the folder is
/// finished.
pub(super) const STAGE: &str = "stage.json";
/// The setting that names the command that owns the folder.
pub(super) const COMMAND: &str = "command";

/// The purpose of a folder: the settings that its results depend on, and the names of its files.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Purpose {
    /// Everything that the results depend on, by name. Threads, times and the machine never belong
    /// to it.
    pub settings: Map<String, Value>,
    /// The setting that may grow, a whole number. The work done so far is kept when it grows.
    pub grows: Option<&'static str>,
    /// Files that only a folder of this kind contains. A folder with one of them but no manifest is
    /// refused.
    pub own: &'static [&'static str],
    /// The result files. They are removed when the folder grows, and a changed result file is
    /// written again from the remaining files. A name that ends in `/` stands for all files below
    /// that folder; these files are kept when the folder grows.
    pub results: &'static [&'static str],
}

impl Purpose {
    /// Creates a purpose with these settings, without a growing setting and without file names.
    pub fn of(settings: Map<String, Value>) -> Self {
        Self {
            settings,
            ..Self::default()
        }
    }

    /// Returns whether the file of this name is a result file.
    fn is_result(&self, name: &str) -> bool {
        self.results
            .iter()
            .any(|result| name == *result || result.ends_with('/') && name.starts_with(result))
    }

    fn grown(&self, settings: &Map<String, Value>) -> Option<u64> {
        settings.get(self.grows?)?.as_u64()
    }
}

/// What was done in a folder.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: u64,
    program: String,
    version: String,
    /// Everything that the results depend on, by name.
    pub settings: Map<String, Value>,
    /// The result of the finished work. It does not depend on threads, time or machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    /// The command line of a finished shard of a run, without the folder and the shard. It makes
    /// the whole run from the joined shards.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub argv: Vec<String>,
    /// The hash of every file of the finished work.
    #[serde(default, skip_serializing_if = "Seal::is_empty")]
    files: Seal,
}

impl Manifest {
    /// Creates the manifest of work that begins.
    fn begun(purpose: &Purpose) -> Self {
        Self {
            format: Folder::FORMAT,
            program: Program::NAME.to_owned(),
            version: Program::VERSION.to_owned(),
            settings: purpose.settings.clone(),
            result: None,
            argv: Vec::new(),
            files: Seal::new(),
        }
    }
}

/// A folder that this process has locked.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    manifest: Manifest,
    damaged: Vec<String>,
    own: &'static [&'static str],
    _lock: Lock,
}

/// A folder in which nothing was done is removed, so that work that was refused doesn't stand in
/// the way of other settings.
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = self.remove_if_nothing_was_done();
    }
}

impl Folder {
    /// The manifest format that this program writes and reads. Since format 3, a finished folder is
    /// sealed and times are in separate files.
    pub const FORMAT: u64 = 3;

    /// Opens the folder at `path`, and creates it if it is missing. Files of finished work are
    /// compared with the folder's seal. If a file was changed or is missing, the work counts as
    /// unfinished. If all such files are result files, they are removed. Otherwise every file of
    /// the seal is removed, because the remaining files are not enough to continue.
    ///
    /// # Errors
    /// Returns an error if the folder has another purpose or is in use; nothing in it is then
    /// touched. Returns [`StoreError::Stopped`] if `stop` was set while files were read.
    pub fn open(path: &Path, purpose: &Purpose, stop: &AtomicBool) -> Result<Self, StoreError> {
        // Check the purpose before locking too, because a folder with other settings must stay
        // untouched.
        check(path, purpose)?;
        fs::create_dir_all(path).map_err(StoreError::io("make", path))?;
        let lock = Lock::take(path)?;
        let known = check(path, purpose)?.filter(|known| known.settings == purpose.settings);
        let begins = known.is_none();
        let mut folder = Self {
            path: path.to_owned(),
            manifest: known.unwrap_or_else(|| Manifest::begun(purpose)),
            damaged: Vec::new(),
            own: purpose.own,
            _lock: lock,
        };
        if begins {
            // If the folder grows, remove its results, because they cover less work than the new
            // manifest asks for.
            let mut files = purpose.results.iter().filter(|name| !name.ends_with('/'));
            files.try_for_each(|file| remove_file(&path.join(file)))?;
            folder.write_manifest()?;
        } else {
            folder.clear_damage(purpose, stop)?;
        }
        Ok(folder)
    }

    /// Removes the files that can't be used because some files differ from the seal.
    fn clear_damage(&mut self, purpose: &Purpose, stop: &AtomicBool) -> Result<(), StoreError> {
        let damaged = damage(&self.path, &self.manifest.files, stop)?;
        if damaged.is_empty() {
            return Ok(());
        }
        let only_results = damaged.iter().all(|(name, _)| purpose.is_result(name));
        let all = std::mem::take(&mut self.manifest.files);
        let lost: Vec<String> = if only_results {
            damaged.iter().map(|(name, _)| name.clone()).collect()
        } else {
            all.into_keys().collect()
        };
        self.manifest.result = None;
        self.write_manifest()?;
        for name in lost.iter().filter(|name| lies_inside(name)) {
            remove_file(&self.path.join(name))?;
        }
        self.damaged = damaged
            .into_iter()
            .map(|(name, why)| format!("{} {why}", self.path.join(name).display()))
            .collect();
        Ok(())
    }

    /// Returns descriptions of the files that differed from the seal when the folder was opened:
    /// `DIR/artifact.json is damaged`.
    pub fn damaged(&self) -> &[String] {
        &self.damaged
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the work is finished.
    pub fn is_finished(&self) -> bool {
        self.manifest.result.is_some()
    }

    /// Returns the result of the work, if it is finished.
    ///
    /// # Errors
    /// Returns an error if the result can't be deserialized as `R`.
    pub fn result<R: for<'a> Deserialize<'a>>(&self) -> Result<Option<R>, StoreError> {
        let result = self.manifest.result.clone();
        let result = result.map(serde_json::from_value).transpose();
        result.map_err(|error| wrong(&self.path.join(MANIFEST), error.to_string()))
    }

    /// Finishes the work: stores its result and seals all files.
    ///
    /// # Errors
    /// Returns an error if a file can't be read or the manifest can't be written. Returns
    /// [`StoreError::Stopped`] if `stop` was set while files were read.
    ///
    /// # Panics
    /// Panics if `result` can't be serialized as JSON.
    pub fn finish(&mut self, result: &impl Serialize, stop: &AtomicBool) -> Result<(), StoreError> {
        self.manifest.files = seal(&self.path, &[MANIFEST, STAGE], stop)?;
        self.manifest.result = Some(
            serde_json::to_value(result).expect("a result has text keys and finite numbers alone"),
        );
        self.write_manifest()
    }

    /// Removes the result and the seal, because the work continues.
    ///
    /// # Errors
    /// Returns an error if the manifest can't be written.
    pub fn reopen(&mut self) -> Result<(), StoreError> {
        if self.manifest.result.take().is_none() {
            return Ok(());
        }
        self.manifest.files.clear();
        self.write_manifest()
    }

    /// Writes a file of the folder atomically.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), StoreError> {
        write(&self.path.join(name), contents)
    }

    /// Reads a file of the folder. Returns `None` if the file doesn't exist.
    ///
    /// # Errors
    /// Returns an error if the file exists and can't be read.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        read(&self.path.join(name))
    }

    /// Writes a file from which work resumes: its first line is the SHA-256 of the rest.
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn write_checked(&self, name: &str, contents: &[u8]) -> Result<(), StoreError> {
        self.write(
            name,
            &[sha256(contents).as_bytes(), b"\n", contents].concat(),
        )
    }

    /// Reads a file that [`Folder::write_checked`] wrote, without its first line. Returns `None` if
    /// the file doesn't exist.
    ///
    /// # Errors
    /// Returns an error if the file exists but can't be read, or was changed after it was written.
    pub fn read_checked(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let Some(mut text): Option<Vec<u8>> = self.read(name)? else {
            return Ok(None);
        };
        let end = text
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(text.len(), |end| end + 1);
        let contents = text.split_off(end);
        if text.strip_suffix(b"\n") == Some(sha256(&contents).as_bytes()) {
            Ok(Some(contents))
        } else {
            Err(StoreError::Damaged(self.path.join(name)))
        }
    }

    /// Reads the manifest of the folder at `path`, without locking it. Returns `None` if the folder
    /// has no manifest.
    ///
    /// # Errors
    /// Returns an error if the manifest can't be read.
    pub fn look(path: &Path) -> Result<Option<Manifest>, StoreError> {
        read_record(&path.join(MANIFEST), Folder::FORMAT)
    }

    /// Records the command line of the finished shard in the folder at `path`.
    ///
    /// # Errors
    /// Returns an error if the folder has no manifest, or the manifest can't be read or written.
    pub fn record_argv(path: &Path, argv: Vec<String>) -> Result<(), StoreError> {
        let file = path.join(MANIFEST);
        let manifest = Self::look(path)?.ok_or_else(|| wrong(&file, "it is missing".to_owned()))?;
        write_record(&file, &Manifest { argv, ..manifest })
    }

    /// Reads the result of the work in the folder at `path`, without locking it. Returns `None` if
    /// the work is not finished.
    ///
    /// # Errors
    /// Returns an error if the manifest can't be read.
    pub fn finished_result(path: &Path) -> Result<Option<Value>, StoreError> {
        Ok(Self::look(path)?.and_then(|manifest| manifest.result))
    }

    /// Reads the settings of the finished work in the folder at `path`, without locking it, after
    /// checking every file against the seal.
    ///
    /// # Errors
    /// Returns an error if the work is not finished, or a file differs from the seal.
    pub fn finished_settings(
        path: &Path,
        stop: &AtomicBool,
    ) -> Result<Map<String, Value>, StoreError> {
        let manifest = Self::look(path)?.filter(|manifest| manifest.result.is_some());
        let unfinished = || "its work is not finished".to_owned();
        let fault = |why| wrong(&path.join(MANIFEST), why);
        let manifest = manifest.ok_or_else(|| fault(unfinished()))?;
        match damage(path, &manifest.files, stop)?.first() {
            Some((name, why)) => Err(fault(format!("{name} {why}"))),
            None => Ok(manifest.settings),
        }
    }

    /// Removes the folder if it has no files but the manifest, the lock and own files that are
    /// empty.
    fn remove_if_nothing_was_done(&self) -> io::Result<()> {
        if self.is_finished() {
            return Ok(());
        }
        for entry in fs::read_dir(&self.path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_record = name == MANIFEST || name == Lock::FILE;
            let is_own = self.own.contains(&&*name);
            if !(is_record || is_own && entry.metadata().is_ok_and(|data| data.len() == 0)) {
                return Ok(());
            }
        }
        fs::remove_dir_all(&self.path)
    }

    fn write_manifest(&self) -> Result<(), StoreError> {
        write_record(&self.path.join(MANIFEST), &self.manifest)
    }
}

/// Returns the manifest of a folder if the folder may be used for `purpose`, or `None` if it has no
/// manifest yet.
fn check(path: &Path, purpose: &Purpose) -> Result<Option<Manifest>, StoreError> {
    refuse_in_sealed(path)?;
    let command = purpose.settings.get(COMMAND).and_then(Value::as_str);
    refuse_other_owner(path, command.unwrap_or_default())?;
    let Some(known) = read_record::<Manifest>(&path.join(MANIFEST), Folder::FORMAT)? else {
        return match purpose.own.iter().find(|file| path.join(file).exists()) {
            None => Ok(None),
            Some(file) => Err(StoreError::NoManifest {
                path: path.to_owned(),
                file,
            }),
        };
    };
    let mut there = known.settings.clone();
    let grown = purpose.grown(&there).zip(purpose.grown(&purpose.settings));
    if let Some((name, _)) = purpose.grows.zip(grown) {
        there.insert(name.to_owned(), purpose.settings[name].clone());
    }
    let mut differences = differences(&there, &purpose.settings);
    let program = format!("{} {}", known.program, known.version);
    let here = format!("{} {}", Program::NAME, Program::VERSION);
    if program != here {
        differences.insert(0, format!("program is {program} there and {here} here"));
    }
    let path = path.to_owned();
    match grown {
        _ if !differences.is_empty() => Err(StoreError::OtherSettings { path, differences }),
        Some((there, here)) if there > here => Err(StoreError::Shrinks {
            path,
            what: purpose.grows.expect("something grows"),
            there,
            here,
        }),
        _ => Ok(Some(known)),
    }
}

fn wrong(path: &Path, why: String) -> StoreError {
    StoreError::Record {
        path: path.to_owned(),
        format: Folder::FORMAT,
        why,
    }
}
