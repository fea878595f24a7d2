//! What a data folder holds: `manifest.json`.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::DataError;
use mineflow_store::{Program, StoreError, differences, lies_inside, read_record, refuse_other_owner, write_record};

/// The format of the folder that this program writes and reads.
pub(super) const FORMAT: u64 = 1;

const NAME: &str = "manifest.json";
/// The command whose folders these are.
const COMMAND: &str = "generate";

/// The record of a data folder. Says nothing of threads, time or machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: u64,
    program: String,
    version: String,
    /// The feature set of the rows.
    pub features: String,
    /// Everything that the contents depend on, by name.
    pub settings: Map<String, Value>,
    /// The shards that are done, in their order.
    pub shards: Vec<ShardEntry>,
    /// The sum of all shards.
    pub totals: Counts,
    /// Whether there is nothing left to do.
    pub complete: bool,
}

/// How much there is of everything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counts {
    pub games: u64,
    pub won: u64,
    pub decisions: u64,
    pub rows: u64,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Self) {
        self.games += other.games;
        self.won += other.won;
        self.decisions += other.decisions;
        self.rows += other.rows;
    }
}

/// A pair of files with the rows and the decisions of some games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardEntry {
    pub number: u64,
    pub counts: Counts,
    pub rows: FileEntry,
    pub decisions: FileEntry,
}

/// A file of a shard.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Its path below the folder.
    pub file: String,
    pub bytes: u64,
    /// Of its contents, in hexadecimal digits.
    pub sha256: String,
}

impl Manifest {
    /// The manifest of an empty folder of this version of the program.
    pub fn new(features: &str, settings: Map<String, Value>) -> Self {
        Self {
            format: FORMAT,
            program: Program::NAME.to_owned(),
            version: Program::VERSION.to_owned(),
            features: features.to_owned(),
            settings,
            shards: Vec::new(),
            totals: Counts::default(),
            complete: false,
        }
    }

    /// Reads the manifest of `folder`; `None` if there is none.
    ///
    /// # Errors
    /// If it can't be read, the folder is another command's, or it names a file that is not one of the folder's own.
    pub fn read(folder: &Path) -> Result<Option<Self>, DataError> {
        refuse_other_owner(folder, COMMAND)?;
        let manifest: Option<Self> = read_record(&folder.join(NAME), FORMAT)?;
        let files =
            manifest.iter().flat_map(|manifest| &manifest.shards).flat_map(|shard| [&shard.rows, &shard.decisions]);
        let outside = files.map(|entry| &entry.file).find(|file| !lies_inside(file)).cloned();
        match outside {
            Some(file) => Err(Self::wrong(folder, format!("its file {file:?} is not in the folder"))),
            None => Ok(manifest),
        }
    }

    /// Reads the manifest of a finished folder.
    pub fn of_finished(folder: &Path) -> Result<Self, DataError> {
        let manifest = Self::read(folder)?.ok_or_else(|| DataError::NoManifest(folder.to_owned()))?;
        if manifest.complete { Ok(manifest) } else { Err(DataError::Unfinished(folder.to_owned())) }
    }

    /// The error that the manifest of `folder` is wrong.
    pub(super) fn wrong(folder: &Path, why: String) -> DataError {
        StoreError::Record { path: folder.join(NAME), format: FORMAT, why }.into()
    }

    /// Writes the manifest of `folder`, whole.
    pub fn write(&self, folder: &Path) -> Result<(), DataError> {
        Ok(write_record(&folder.join(NAME), self)?)
    }

    /// Adds a shard, or puts it in the place of the one with its number.
    pub fn put(&mut self, shard: ShardEntry) {
        match self.shards.binary_search_by_key(&shard.number, |known| known.number) {
            Ok(at) => {
                self.shards[at] = shard;
                self.totals = Counts::default();
                self.shards.iter().for_each(|shard| self.totals += shard.counts);
            }
            Err(at) => {
                self.totals += shard.counts;
                self.shards.insert(at, shard);
            }
        }
    }

    /// An error if a folder with this manifest can't go on with the settings of `wanted`.
    pub fn check(&self, folder: &Path, wanted: &Self) -> Result<(), DataError> {
        let all = |manifest: &Self| {
            let mut all = manifest.settings.clone();
            all.insert("features".to_owned(), manifest.features.clone().into());
            all
        };
        let program = Program::difference((&self.program, &self.version), (&wanted.program, &wanted.version));
        let differences: Vec<_> = program.into_iter().chain(differences(&all(self), &all(wanted))).collect();
        if differences.is_empty() {
            return Ok(());
        }
        Err(StoreError::OtherSettings { path: folder.to_owned(), differences }.into())
    }
}
