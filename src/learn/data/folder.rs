//! Data folders: the contents of one, and one under construction.

use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    path::Path,
    sync::atomic::AtomicBool,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::DataError;
use mineflow_store::{
    Folder, Journal, Purpose, Seal, StoreError, damage, lies_inside, refuse_other_owner,
};

/// The command that makes these folders.
const COMMAND: &str = "generate";
/// The setting that names the feature set of the rows.
const FEATURES: &str = "features";

/// Returns the purpose of a folder with rows of this feature set. `settings` holds everything else
/// that its contents depend on, by name.
pub fn purpose(features: &str, mut settings: Map<String, Value>) -> Purpose {
    settings.insert("command".to_owned(), COMMAND.into());
    settings.insert(FEATURES.to_owned(), features.into());
    Purpose {
        settings,
        grows: None,
        own: &[Journal::FILE],
        results: &["rows/", "decisions/"],
    }
}

/// Numbers of games, won games, decisions, rows and left-out games of a data folder or of one shard
/// of the data.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    pub games: u64,
    pub won: u64,
    pub decisions: u64,
    pub rows: u64,
    /// Number of games that are left out because their player gave up: their result is unknown.
    /// They count nowhere else.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.won += other.won;
        self.decisions += other.decisions;
        self.rows += other.rows;
        self.left_out += other.left_out;
    }
}

impl Counts {
    /// Returns the totals over these shards of the data.
    pub fn sum<'a>(shards: impl IntoIterator<Item = &'a ShardEntry>) -> Self {
        let mut sum = Self::default();
        shards.into_iter().for_each(|shard| sum += shard.counts);
        sum
    }
}

/// A finished shard of the data: the files with the rows and the decisions of some games. An entry
/// is one line of the journal.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    pub number: u64,
    pub counts: Counts,
    pub rows: FileEntry,
    pub decisions: FileEntry,
}

/// A file of a data folder, with its hash.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// The path of the file relative to the folder.
    pub file: String,
    pub bytes: u64,
    /// SHA-256 of its contents, in hexadecimal digits.
    pub sha256: String,
}

impl ShardEntry {
    /// Returns the files of the rows and of the decisions.
    pub fn files(&self) -> [&FileEntry; 2] {
        [&self.rows, &self.decisions]
    }
}

/// The shards of a folder by number. A shard that was made twice has two equal lines in the
/// journal.
type Shards = BTreeMap<u64, ShardEntry>;

fn add(shards: &mut Shards, shard: ShardEntry) -> Result<(), String> {
    if let Some(FileEntry { file, .. }) = shard
        .files()
        .into_iter()
        .find(|entry| !lies_inside(&entry.file))
    {
        return Err(format!("its file {file:?} is not in the folder"));
    }
    shards.insert(shard.number, shard);
    Ok(())
}

/// The contents of a data folder according to its manifest and journal.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Manifest {
    /// The feature set of the rows.
    pub features: String,
    /// All settings that the contents depend on, by name.
    pub settings: Map<String, Value>,
    /// The finished shards of the data, in ascending order of their numbers.
    pub shards: Vec<ShardEntry>,
    /// The totals over all shards.
    pub totals: Counts,
    /// Whether the folder is finished.
    pub complete: bool,
}

impl Manifest {
    /// Reads the contents of `folder` without locking it.
    ///
    /// # Errors
    /// Returns an error if the folder has no manifest, can't be read or belongs to another command,
    /// its journal names a file outside the folder, or the totals over the shards of a finished
    /// folder differ from the totals in its manifest.
    pub fn read(folder: &Path) -> Result<Self, DataError> {
        if folder.is_file() {
            return Err(DataError::NoManifest(folder.to_owned()));
        }
        refuse_other_owner(folder, COMMAND)?;
        let mineflow_store::Manifest {
            settings, result, ..
        } = Folder::look(folder)?.ok_or_else(|| DataError::NoManifest(folder.to_owned()))?;
        let Some(features) = settings
            .get(FEATURES)
            .and_then(Value::as_str)
            .map(str::to_owned)
        else {
            return Err(wrong(folder, "it names no feature set".to_owned()));
        };
        let mut shards = Shards::new();
        Journal::read(&folder.join(Journal::FILE), |shard| add(&mut shards, shard))?;
        let totals = Counts::sum(shards.values());
        let complete = result.is_some();
        if let Some(result) =
            result.filter(|result| serde_json::to_value(totals).ok().as_ref() != Some(result))
        {
            return Err(wrong(
                folder,
                format!(
                    "its totals are {result}, and its {} has {}; run the command that made the folder again to repair it",
                    Journal::FILE,
                    serde_json::to_value(totals).unwrap_or_default()
                ),
            ));
        }
        Ok(Self {
            features,
            settings,
            shards: shards.into_values().collect(),
            totals,
            complete,
        })
    }

    /// Reads the contents of a finished folder.
    ///
    /// # Errors
    /// Returns the errors of [`Manifest::read`], and an error if the folder is not finished.
    pub fn of_finished(folder: &Path) -> Result<Self, DataError> {
        let manifest = Self::read(folder)?;
        if manifest.complete {
            Ok(manifest)
        } else {
            Err(DataError::Unfinished(folder.to_owned()))
        }
    }
}

/// Creates the error for a wrong manifest in `folder`.
pub(super) fn wrong(folder: &Path, why: String) -> DataError {
    StoreError::Record {
        path: folder.join("manifest.json"),
        format: Folder::FORMAT,
        why,
    }
    .into()
}

/// A data folder under construction, locked for this process.
#[derive(Debug)]
pub struct DataFolder {
    folder: Folder,
    journal: Journal,
    shards: Shards,
    lost: BTreeSet<u64>,
}

impl DataFolder {
    /// Reads the journal of a folder that was opened for the [`purpose`] of its rows. If the folder
    /// is not finished, checks the hashes of its shards' files.
    ///
    /// # Errors
    /// Returns an error if the journal can't be read or written, or [`StoreError::Stopped`] if
    /// `stop` was set.
    pub fn open(folder: Folder, stop: &AtomicBool) -> Result<Self, DataError> {
        let mut shards = Shards::new();
        let journal = Journal::open(folder.path().join(Journal::FILE), |shard| {
            add(&mut shards, shard)
        })?;
        let mut lost = BTreeSet::new();
        if !folder.is_finished() {
            let files = shards.values().flat_map(ShardEntry::files);
            let files: Seal = files
                .map(|entry| (entry.file.clone(), entry.sha256.clone()))
                .collect();
            let damaged: HashSet<_> = damage(folder.path(), &files, stop)?
                .into_iter()
                .map(|(name, _)| name)
                .collect();
            let is_lost = |shard: &&ShardEntry| {
                shard
                    .files()
                    .iter()
                    .any(|entry| damaged.contains(&entry.file))
            };
            lost = shards
                .values()
                .filter(is_lost)
                .map(|shard| shard.number)
                .collect();
        }
        Ok(Self {
            folder,
            journal,
            shards,
            lost,
        })
    }

    /// Returns the path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns whether the folder is finished.
    pub fn is_finished(&self) -> bool {
        self.folder.is_finished()
    }

    /// Returns all shards that were ever finished, including those with a missing or changed file.
    pub fn shards(&self) -> &BTreeMap<u64, ShardEntry> {
        &self.shards
    }

    /// Returns the numbers of the shards with a missing or changed file.
    pub fn lost(&self) -> &BTreeSet<u64> {
        &self.lost
    }

    /// Returns whether the shard of this number was finished and neither of its files was missing
    /// or changed.
    pub fn has(&self, number: u64) -> bool {
        self.shards.contains_key(&number) && !self.lost.contains(&number)
    }

    /// Records a shard whose files are written.
    ///
    /// # Errors
    /// Returns an error if the journal can't be written.
    pub fn keep(&mut self, shard: ShardEntry) -> Result<(), DataError> {
        self.journal.append(&shard)?;
        self.journal.flush()?;
        self.lost.remove(&shard.number);
        self.shards.insert(shard.number, shard);
        Ok(())
    }

    /// Finishes the folder, which must have all its shards, and returns their totals. Sorts the
    /// journal by shard.
    ///
    /// # Errors
    /// Returns an error if a file can't be read or written, or [`StoreError::Stopped`] if `stop`
    /// was set.
    pub fn finish(mut self, stop: &AtomicBool) -> Result<Counts, DataError> {
        let totals = Counts::sum(self.shards.values());
        if !self.is_finished() {
            self.journal.replace(self.shards.values())?;
            self.folder.finish(&totals, stop)?;
        }
        Ok(totals)
    }
}
