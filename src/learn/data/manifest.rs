//! What a data folder holds: `manifest.json`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::DataError;

/// The format of the folder that this program writes and reads.
pub(super) const FORMAT: u64 = 1;

const NAME: &str = "manifest.json";

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
    /// Its name in the folder.
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
            program: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            features: features.to_owned(),
            settings,
            shards: Vec::new(),
            totals: Counts::default(),
            complete: false,
        }
    }

    /// Reads the manifest of `folder`; `None` if there is none.
    pub fn read(folder: &Path) -> Result<Option<Self>, DataError> {
        let path = folder.join(NAME);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            read => read.map_err(DataError::io("read", &path))?,
        };
        parse(&text).map(Some).map_err(|why| DataError::Manifest { path, why })
    }

    /// Reads the manifest of a finished folder.
    pub fn of_finished(folder: &Path) -> Result<Self, DataError> {
        let manifest = Self::read(folder)?.ok_or_else(|| DataError::NoManifest(folder.to_owned()))?;
        if manifest.complete { Ok(manifest) } else { Err(DataError::Unfinished(folder.to_owned())) }
    }

    /// Writes the manifest of `folder`: under another name first, then renamed.
    pub fn write(&self, folder: &Path) -> Result<(), DataError> {
        let path = folder.join(NAME);
        let mut text = serde_json::to_vec_pretty(self).expect("a manifest has text keys and finite numbers alone");
        text.push(b'\n');
        let unfinished = path.with_added_extension("tmp");
        let written = fs::write(&unfinished, text).and_then(|()| fs::rename(&unfinished, &path));
        written.map_err(|error| {
            let _ = fs::remove_file(&unfinished);
            DataError::io("write", &path)(error)
        })
    }

    /// Adds a shard, or puts it in the place of the one with its number.
    pub fn put(&mut self, shard: ShardEntry) {
        match self.shards.binary_search_by_key(&shard.number, |known| known.number) {
            Ok(at) => self.shards[at] = shard,
            Err(at) => self.shards.insert(at, shard),
        }
        self.totals = Counts::default();
        self.shards.iter().for_each(|shard| self.totals += shard.counts);
    }

    /// An error if a folder with this manifest can't go on with the settings of `wanted`.
    pub fn check(&self, folder: &Path, wanted: &Self) -> Result<(), DataError> {
        let mut differences = Vec::new();
        let mut compare = |name: &str, there: Option<&Value>, here: Option<&Value>| {
            if there != here {
                let show = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
                differences.push(format!("{name} is {} there and {} here", show(there), show(here)));
            }
        };
        let text = |text: &str| Value::from(text.to_owned());
        compare("program", Some(&text(&self.program)), Some(&text(&wanted.program)));
        compare("version", Some(&text(&self.version)), Some(&text(&wanted.version)));
        compare("features", Some(&text(&self.features)), Some(&text(&wanted.features)));
        let mut names: Vec<_> = self.settings.keys().chain(wanted.settings.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            compare(name, self.settings.get(name), wanted.settings.get(name));
        }
        let path = PathBuf::from(folder);
        if differences.is_empty() { Ok(()) } else { Err(DataError::OtherSettings { path, differences }) }
    }
}

fn parse(text: &[u8]) -> Result<Manifest, String> {
    let value: Value = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    match value.get("format") {
        Some(format) if *format == FORMAT => serde_json::from_value(value).map_err(|error| error.to_string()),
        Some(format) => Err(format!("its format is {format}")),
        None => Err("it has no format".to_owned()),
    }
}
