//! The folders of a pipeline's stages, and how a finished stage replaces the old one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};

use super::record::{self, StageRecord};
use super::{Input, InputSource, Reads, Step};
use mineflow_arena::Part;
use mineflow_store::{Journal, Lock, StoreError};
use mineflow_tasks::cost;

/// The files from which a series of games resumes.
const JOURNAL: [&str; 4] = ["manifest.json", Journal::FILE, Journal::COSTS, cost::FILE];

/// The manifest in the folder of a command.
const MANIFEST: &str = "manifest.json";

/// Suffix of the folder that holds the shards of a stage's run.
const PARTS: &str = ".parts";

/// The output folder of a pipeline.
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
    /// Returns the output folder at `path`. Does not access the file system.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }

    /// Returns the path of the output folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates the folder and locks it for this process.
    ///
    /// # Errors
    /// Returns an error if another process works in the folder, or if another command made it.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        mineflow_store::refuse_other_owner(&self.path, "run")?;
        fs::create_dir_all(&self.path).map_err(StoreError::io("make", &self.path))?;
        Lock::take(&self.path)
    }

    /// Returns the folders of a stage.
    pub fn stage(&self, name: &str) -> StageFolder {
        StageFolder {
            out: self.path.clone(),
            name: name.to_owned(),
        }
    }

    /// Returns the path that a command receives for this input.
    pub fn input(&self, input: &Input) -> PathBuf {
        match (&input.from, input.reads) {
            // Joining an empty path would append a `/`.
            (InputSource::Stage { name, task }, Reads::Output) if !task.output.is_empty() => {
                self.stage(name).finished().join(task.output)
            }
            (InputSource::Stage { name, .. }, _) => self.stage(name).finished(),
            (InputSource::Path(path), _) => path.clone(),
        }
    }

    /// Returns the hash of an input's content, or `None` if the input doesn't exist.
    pub(super) fn hash(
        &self,
        input: &Input,
        stop: &AtomicBool,
    ) -> Result<Option<String>, StoreError> {
        let file = match &input.from {
            InputSource::Stage { name, task } => self.stage(name).finished().join(task.key_file()),
            InputSource::Path(path) if path.is_dir() && !path.join(MANIFEST).exists() => {
                return mineflow_store::folder_sha256(path, stop);
            }
            InputSource::Path(path) if path.is_dir() => path.join(MANIFEST),
            InputSource::Path(path) => path.clone(),
        };
        mineflow_store::file_sha256(&file, stop)
    }
}

impl StageFolder {
    /// Returns the folder of the finished stage.
    pub fn finished(&self) -> PathBuf {
        self.out.join(&self.name)
    }

    /// Returns the work folder of a stage that is made from `wanted`.
    pub(super) fn unfinished(&self, wanted: &StageRecord) -> PathBuf {
        // Commands refuse a folder that was started by another version of the program or with models from another place. The hash
        // therefore covers the version and the output folder.
        let hash = wanted.hash(&format!(
            "{} {}",
            env!("CARGO_PKG_VERSION"),
            self.out.display()
        ));
        self.out.join(format!("{}.unfinished-{hash}", self.name))
    }

    /// Returns the record of the finished stage, or `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if its place holds a folder that no pipeline made, because the stage would replace that folder.
    pub fn record(&self) -> anyhow::Result<Option<StageRecord>> {
        let finished = self.finished();
        let record = StageRecord::read(&finished)?;
        if record.is_none() && finished.exists() {
            bail!(
                "{} is not a stage of a pipeline and stands in its way; move it, or give another --out",
                finished.display()
            );
        }
        Ok(record)
    }

    /// Returns the work folder, created if missing. If only the number of games has grown, copies the games of the finished stage.
    pub fn begin(&self, step: &Step, wanted: &StageRecord) -> anyhow::Result<PathBuf> {
        let folder = self.unfinished(wanted);
        fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        if self
            .record()?
            .is_some_and(|record| step.task.grows && record.grows_into(wanted))
        {
            for file in JOURNAL {
                let (from, to) = (self.finished().join(file), folder.join(file));
                if from.exists() && !to.exists() {
                    mineflow_store::copy(&from, &to)?;
                }
            }
        }
        wanted.write(&folder)?;
        Ok(folder)
    }

    /// Returns the work folder of a shard of the run.
    pub fn part(&self, part: Part) -> PathBuf {
        let Part { index, of } = part;
        self.out
            .join(format!("{}{PARTS}", self.name))
            .join(format!("{}-of-{of}", index + 1))
    }

    /// Returns the work folder of a shard of the run, created if missing. Deletes files there that were made from anything other than
    /// `wanted`.
    pub(super) fn begin_part(&self, part: Part, wanted: &StageRecord) -> anyhow::Result<PathBuf> {
        let folder = self.part(part);
        if StageRecord::read(&folder)?.is_some_and(|record| record != *wanted) {
            mineflow_store::remove_folder(&folder)?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        wanted.write(&folder)?;
        Ok(folder)
    }

    /// Moves the finished work into place and deletes the previous output.
    pub fn finish(&self, wanted: &StageRecord, stop: &AtomicBool) -> anyhow::Result<()> {
        let (work, finished) = (self.unfinished(wanted), self.finished());
        let mut record = wanted.clone();
        record.files = mineflow_store::seal(&work, &[record::FILE], stop)?;
        record.write(&work)?;
        let replaced = self.out.join(format!("{}.replaced", self.name));
        if finished.exists() {
            mineflow_store::remove_folder(&replaced)?;
            fs::rename(&finished, &replaced).map_err(StoreError::io("move", &finished))?;
        }
        fs::rename(&work, &finished).map_err(StoreError::io("move", &work))?;
        mineflow_store::remove_folder(&replaced)?;
        mineflow_store::remove_folder(&self.out.join(format!("{}{PARTS}", self.name)))?;
        let others = format!("{}.unfinished-", self.name);
        let in_out = |error| StoreError::io("read", &self.out)(error);
        for entry in fs::read_dir(&self.out).map_err(in_out)? {
            let entry = entry.map_err(in_out)?;
            if entry.file_name().to_string_lossy().starts_with(&others) {
                mineflow_store::remove_folder(&entry.path())?;
            }
        }
        Ok(())
    }
}
