//! Where the stages of a pipeline are kept, and how a finished one takes its place.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};

use super::record::{self, StageRecord};
use super::{Input, InputSource, Reads, Step};
use mineflow_arena::Part;
use mineflow_store::{Journal, Lock, StoreError};
use mineflow_tasks::cost;

/// What a series of games resumes from.
const JOURNAL: [&str; 4] = ["manifest.json", Journal::FILE, Journal::COSTS, cost::FILE];

/// What a folder of a command says of itself.
const MANIFEST: &str = "manifest.json";

/// What the name of the folder of a stage's parts ends in.
const PARTS: &str = ".parts";

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

    /// Makes the folder and locks it for this process.
    ///
    /// # Errors
    /// If another process works there, and a folder of another command.
    pub fn lock(&self) -> Result<Lock, StoreError> {
        mineflow_store::refuse_other_owner(&self.path, "run")?;
        fs::create_dir_all(&self.path).map_err(StoreError::io("make", &self.path))?;
        Lock::take(&self.path)
    }

    /// The folders of a stage.
    pub fn stage(&self, name: &str) -> StageFolder {
        StageFolder {
            out: self.path.clone(),
            name: name.to_owned(),
        }
    }

    /// What a command is given for this input.
    pub fn input(&self, input: &Input) -> PathBuf {
        match (&input.from, input.reads) {
            // Joined with nothing, a path would end in a `/`.
            (InputSource::Stage { name, task }, Reads::Output) if !task.output.is_empty() => {
                self.stage(name).finished().join(task.output)
            }
            (InputSource::Stage { name, .. }, _) => self.stage(name).finished(),
            (InputSource::Path(path), _) => path.clone(),
        }
    }

    /// The hash of an input's content; `None` if it isn't there.
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
    /// The folder of the finished stage.
    pub fn finished(&self) -> PathBuf {
        self.out.join(&self.name)
    }

    /// The folder in which a stage that is made from `wanted` is worked on.
    pub(super) fn unfinished(&self, wanted: &StageRecord) -> PathBuf {
        // The commands refuse a folder that was begun by another version of the program or with models of another place.
        let hash = wanted.hash(&format!(
            "{} {}",
            env!("CARGO_PKG_VERSION"),
            self.out.display()
        ));
        self.out.join(format!("{}.unfinished-{hash}", self.name))
    }

    /// What the finished stage was made from; `None` if there is none.
    ///
    /// # Errors
    /// A folder in its place that no pipeline made: it would be replaced.
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

    /// Gives the folder to work in, made if missing. A series of games that only grows takes its games along.
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

    /// The folder of a part.
    pub fn part(&self, part: Part) -> PathBuf {
        let Part { index, of } = part;
        self.out
            .join(format!("{}{PARTS}", self.name))
            .join(format!("{}-of-{of}", index + 1))
    }

    /// Gives the folder for a part to work in, made if missing. What was made from something else there goes.
    pub(super) fn begin_part(&self, part: Part, wanted: &StageRecord) -> anyhow::Result<PathBuf> {
        let folder = self.part(part);
        if StageRecord::read(&folder)?.is_some_and(|record| record != *wanted) {
            mineflow_store::remove_folder(&folder)?;
        }
        fs::create_dir_all(&folder).with_context(|| format!("can't make {}", folder.display()))?;
        wanted.write(&folder)?;
        Ok(folder)
    }

    /// Puts the finished work in its place and clears away what it replaces.
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
