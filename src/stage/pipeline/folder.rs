//! Where the stages of a pipeline are kept, and how a finished one takes its place.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::record::{self, Record};
use super::{Input, Reads, Source, Step};
use crate::learn::model::sha256;
use crate::minesweeper::arena::{FolderError, lock};

/// Files that come and go.
const LOCK: &str = "lock";
/// What a series of games is gone on from.
const JOURNAL: [&str; 2] = ["manifest.json", "journal.jsonl"];

/// The folder of a pipeline's run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutFolder {
    path: PathBuf,
}

/// The folders of one stage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageFolder {
    out: PathBuf,
    name: String,
}

impl OutFolder {
    /// The folder at `path`; nothing is touched yet.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder and locks it for this process, for as long as the file that this gives is open.
    ///
    /// # Errors
    /// If another process works there.
    pub fn lock(&self) -> Result<File, FolderError> {
        fs::create_dir_all(&self.path).map_err(FolderError::io("make", &self.path))?;
        lock(&self.path)
    }

    /// The folders of a stage.
    pub fn stage(&self, name: &str) -> StageFolder {
        StageFolder { out: self.path.clone(), name: name.to_owned() }
    }

    /// What a command is given for this input.
    pub fn input(&self, input: &Input) -> PathBuf {
        match (&input.from, input.reads) {
            // Joined with nothing, a path would end in a `/`.
            (Source::Stage { name, kind }, Reads::Output) if !kind.output.is_empty() => {
                self.stage(name).finished().join(kind.output)
            }
            (Source::Stage { name, .. }, _) => self.stage(name).finished(),
            (Source::Path(path), _) => path.clone(),
        }
    }

    /// The hash of an input's content; `None` if it isn't there.
    pub(super) fn hash(&self, input: &Input) -> Result<Option<String>, FolderError> {
        let file = match &input.from {
            Source::Stage { name, kind } => self.stage(name).finished().join(kind.told_by),
            Source::Path(path) if path.is_dir() => path.join("manifest.json"),
            Source::Path(path) => path.clone(),
        };
        match fs::read(&file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            read => Ok(Some(sha256(&read.map_err(FolderError::io("read", &file))?))),
        }
    }
}

impl StageFolder {
    /// The folder of the finished stage.
    pub fn finished(&self) -> PathBuf {
        self.out.join(&self.name)
    }

    /// The folder in which a stage that is made from `wanted` is worked on.
    pub(super) fn unfinished(&self, wanted: &Record) -> PathBuf {
        // The commands refuse a folder that was begun by another version of the program or with models of another place.
        let hash = wanted.hash(&format!("{} {}", env!("CARGO_PKG_VERSION"), self.out.display()));
        self.out.join(format!("{}.unfinished-{hash}", self.name))
    }

    /// What the finished stage was made from; `None` if there is none.
    ///
    /// # Errors
    /// A folder in its place that no pipeline made: it would be replaced.
    pub fn record(&self) -> anyhow::Result<Option<Record>> {
        let finished = self.finished();
        let record = Record::read(&finished)?;
        if record.is_none() && finished.exists() {
            bail!("{} is no stage of a pipeline and in its way; move it, or give another --out", finished.display());
        }
        Ok(record)
    }

    /// Gives the folder to work in, made if missing. A series of games that only grows takes its games along.
    pub fn begin(&self, step: &Step, wanted: &Record) -> anyhow::Result<PathBuf> {
        let folder = self.unfinished(wanted);
        fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        if self.record()?.is_some_and(|record| step.kind.grows && record.grows_into(wanted)) {
            for file in JOURNAL {
                let (from, to) = (self.finished().join(file), folder.join(file));
                if !to.exists() {
                    copy_whole(&from, &to).with_context(|| format!("can't copy {}", from.display()))?;
                }
            }
        }
        wanted.write(&folder)?;
        Ok(folder)
    }

    /// Puts the finished work in its place and clears away what it replaces.
    pub fn finish(&self, wanted: &Record) -> anyhow::Result<()> {
        let (work, finished) = (self.unfinished(wanted), self.finished());
        let mut record = wanted.clone();
        files(&work, Path::new(""), &mut record.files).with_context(|| format!("can't read {}", work.display()))?;
        record.files.sort();
        record.write(&work)?;
        let put = || -> io::Result<()> {
            let replaced = self.out.join(format!("{}.replaced", self.name));
            if finished.exists() {
                remove(&replaced)?;
                fs::rename(&finished, &replaced)?;
            }
            fs::rename(&work, &finished)?;
            remove(&replaced)?;
            let others = format!("{}.unfinished-", self.name);
            for entry in fs::read_dir(&self.out)? {
                let entry = entry?;
                if entry.file_name().to_string_lossy().starts_with(&others) {
                    remove(&entry.path())?;
                }
            }
            Ok(())
        };
        put().with_context(|| format!("can't put {} in its place", finished.display()))
    }
}

/// Removes a folder with everything in it, if it is there.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Copies a file under another name first, then renames it, so that what exists is complete.
fn copy_whole(from: &Path, to: &Path) -> io::Result<()> {
    let unfinished = to.with_added_extension("tmp");
    fs::copy(from, &unfinished)?;
    fs::rename(&unfinished, to)
}

/// Adds the files below `folder` that are results, as paths from there with `/` between their parts.
fn files(folder: &Path, below: &Path, into: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            files(folder, &path, into)?;
        } else {
            let name = path.to_string_lossy().replace('\\', "/");
            if name != LOCK && name != record::FILE {
                into.push(name);
            }
        }
    }
    Ok(())
}
