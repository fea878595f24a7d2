//! The folders of a pipeline's stages, and how a finished stage replaces the old one.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use anyhow::{Result, bail};

use super::{
    Input, InputSource, Stage,
    record::{self, StageRecord},
};
use crate::output::note;
use mineflow_arena::Part;
use mineflow_store::{Journal, Lock, Program, StoreError, remove_folder, seal};
use mineflow_tasks::cost;

/// The files from which a series of games resumes.
const JOURNAL: [&str; 4] = ["manifest.json", Journal::FILE, Journal::COSTS, cost::FILE];

/// The manifest in the folder of a command.
const MANIFEST: &str = "manifest.json";

/// The kinds of folders beside a finished stage: its unfinished work, the shards of its run, an
/// earlier output, and that of an older program between two renames.
const KINDS: [&str; 4] = [UNFINISHED, PARTS, OLD, "replaced"];
const UNFINISHED: &str = "unfinished";
const PARTS: &str = "parts";
const OLD: &str = "old";

/// Creates the output folder of a pipeline and locks it for this process.
///
/// # Errors
/// Returns an error if another process works in the folder, or if another command made it.
pub fn lock_output(out: &Path) -> Result<Lock, StoreError> {
    mineflow_store::refuse_other_owner(out, "run")?;
    fs::create_dir_all(out).map_err(StoreError::io("make", out))?;
    Lock::take(out)
}

impl Input {
    /// Returns the hash of the input's content, or `None` if the input doesn't exist.
    pub(super) fn hash(&self, stop: &AtomicBool) -> Result<Option<String>, StoreError> {
        let file = match &self.from {
            InputSource::Stage { folder, task, .. } => folder.join(task.key_file()),
            InputSource::Path(path) if path.is_dir() && !path.join(MANIFEST).exists() => {
                return mineflow_store::folder_sha256(path, stop);
            }
            InputSource::Path(path) if path.is_dir() => path.join(MANIFEST),
            InputSource::Path(path) => path.clone(),
        };
        mineflow_store::file_sha256(&file, stop)
    }
}

impl Stage {
    /// Returns the folder of the finished stage.
    pub fn finished(&self) -> PathBuf {
        self.out.join(&self.name)
    }

    /// Returns the folder of this kind for work that is made from `wanted`. Its hash covers the
    /// version of the program, because commands refuse a folder that another version started.
    fn beside(&self, kind: &str, wanted: &StageRecord) -> PathBuf {
        let hash = wanted.hash(Program::VERSION);
        self.out.join(format!("{}.{kind}-{hash}", self.name))
    }

    /// Returns the work folder of the stage if it is made from `wanted`.
    pub(super) fn unfinished(&self, wanted: &StageRecord) -> PathBuf {
        // In older programs, the hash covers the output folder as it was typed.
        let typed = wanted.hash(&format!("{} {}", Program::VERSION, self.out.display()));
        let older = self.out.join(format!("{}.{UNFINISHED}-{typed}", self.name));
        if older.exists() {
            older
        } else {
            self.beside(UNFINISHED, wanted)
        }
    }

    /// Returns the folders of the stage that its current settings don't need: unfinished work and
    /// shards of other settings, unless a process makes these shards, and earlier outputs. Returns
    /// none if an input is missing, because the current settings include its hash.
    pub fn left_over(&self, stop: &AtomicBool) -> Vec<PathBuf> {
        let Ok(wanted) = self.wanted(stop) else {
            return Vec::new();
        };
        let needed = [self.unfinished(&wanted), self.beside(PARTS, &wanted)];
        let is_left = |path: &PathBuf| {
            let suffix = path.extension().unwrap_or_default().to_string_lossy();
            let mut words = suffix.split('-');
            // A folder that the user named has no hash.
            path.file_stem() == Some(self.name.as_ref())
                && KINDS.contains(&words.next().unwrap_or_default())
                && words.next().is_none_or(|hash| {
                    hash.len() == 12 && hash.bytes().all(|digit| digit.is_ascii_hexdigit())
                })
                && !needed.contains(path)
                && !folders(path).iter().any(|part| Lock::is_taken(part))
        };
        folders(&self.out).into_iter().filter(is_left).collect()
    }

    /// Moves an earlier output that was made from `wanted` back into place, unless it was changed.
    /// Returns whether there was one.
    pub fn restore(&self, wanted: &StageRecord, stop: &AtomicBool) -> Result<bool> {
        let earlier = self.beside(OLD, wanted);
        let Some(record) = StageRecord::read(&earlier)? else {
            return Ok(false);
        };
        let is_whole = seal(&earlier, &[record::FILE], stop)? == record.files;
        if is_whole {
            self.finish(&earlier, wanted, stop)?;
        }
        Ok(is_whole)
    }

    /// Returns the record of the finished stage, or `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if its place holds a folder that no pipeline made, because the stage would
    /// replace that folder.
    pub fn record(&self) -> Result<Option<StageRecord>> {
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

    /// Returns the work folder, created if missing. If only the number of games has grown, copies
    /// the games of the finished stage.
    pub fn begin(&self, wanted: &StageRecord) -> Result<PathBuf> {
        let folder = self.unfinished(wanted);
        wanted.begin(&folder)?;
        if self
            .record()?
            .is_some_and(|record| self.task.grows && record.grows_into(wanted))
        {
            for file in JOURNAL {
                let from = self.finished().join(file);
                let to = folder.join(file);
                if from.exists() && !to.exists() {
                    mineflow_store::copy(&from, &to)?;
                }
            }
        }
        Ok(folder)
    }

    /// Returns the work folder of a shard of the run.
    pub(super) fn part(&self, part: Part, wanted: &StageRecord) -> Result<PathBuf, StoreError> {
        let Part { index, of } = part;
        let shard = format!("{}-of-{of}", index + 1);
        // Older programs have one folder for the shards of all settings.
        let older = self.out.join(format!("{}.{PARTS}/{shard}", self.name));
        let is_wanted = StageRecord::read(&older)?.is_some_and(|record| record == *wanted);
        let own = self.beside(PARTS, wanted).join(shard);
        Ok(if is_wanted { older } else { own })
    }

    /// Moves finished work into place. The previous output is deleted only if the new one contains
    /// it.
    pub fn finish(&self, work: &Path, wanted: &StageRecord, stop: &AtomicBool) -> Result<()> {
        let finished = self.finished();
        let mut record = wanted.clone();
        record.files = seal(work, &[record::FILE], stop)?;
        record.write(work)?;
        let mut previous = None;
        if let Some(old) = self.record()? {
            // A file that was changed or added after the stage finished is the work of its user.
            let is_contained = seal(&finished, &[record::FILE], stop)? == old.files
                && (old.differences(wanted, &self.inputs).is_empty()
                    || self.task.grows && old.grows_into(wanted));
            let mut kept = self.beside(OLD, &old);
            while kept.exists() {
                kept.as_mut_os_string().push("-again");
            }
            rename(&finished, &kept)?;
            previous = Some((kept, is_contained));
        }
        rename(work, &finished)?;
        remove_folder(&self.beside(PARTS, wanted))?;
        match previous {
            Some((kept, true)) => remove_folder(&kept)?,
            Some((kept, false)) => note(&format!(
                "note: the previous output of stage {} is kept in {}; `pipeline run FILE --clean` deletes it",
                self.name,
                kept.display()
            )),
            None => {}
        }
        Ok(())
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), StoreError> {
    fs::rename(from, to).map_err(StoreError::io("move", from))
}

/// Returns the folders in a folder, sorted, without links.
fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let mut paths: Vec<_> = folders.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
