//! The rows of a round.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use serde_json::{Map, Value};

use mineflow_learn::data::{
    DataError, Manifest, ReadLimits, Rows, Split, Table, Windows, read_table,
};
use mineflow_model::{FeatureSet, Mlp};
use mineflow_rng::Seed;
use mineflow_store::sha256;

/// Training rows and validation rows, from different games.
pub(crate) struct Tables {
    pub(crate) train: Rows,
    pub(crate) validation: Table,
}

impl Tables {
    /// Augments the training rows by symmetries drawn with `seed`. Rows in windows are augmented
    /// later, when a window is read.
    pub(crate) fn turn(&mut self, set: &FeatureSet, seed: Seed) {
        if let Rows::Whole(table) = &mut self.train {
            table.turn(set, seed);
        }
    }

    /// Splits `table` into training games and validation games.
    pub(crate) fn split(table: &Table) -> Self {
        let part = |validation: bool| {
            table.of_games(|game| (Split::of(game) == Split::Validation) == validation)
        };
        Self {
            train: Rows::Whole(part(false)),
            validation: part(true),
        }
    }
}

/// A function that makes the rows of a round. Its arguments are the index of the round and the
/// current network, if there is one.
pub(crate) type MakeRows<'a> = dyn FnMut(u64, Option<&Arc<Mlp>>) -> anyhow::Result<Tables> + 'a;

/// Folders of `pipeline generate`, whose rows are combined.
pub(crate) struct DataFolders {
    pub(super) paths: Vec<PathBuf>,
    /// The settings of each folder.
    settings: Vec<Map<String, Value>>,
    /// SHA-256 over the hashes of the files, for each folder.
    pub(crate) hashes: Vec<String>,
    /// SHA-256 over the hashes of the folders, or the hash of the only folder.
    pub(crate) sha256: String,
}

impl DataFolders {
    /// Opens finished folders with rows of this feature set, without reading rows.
    pub(crate) fn open(paths: &[PathBuf], features: &str) -> anyhow::Result<Self> {
        let mut all = Self {
            paths: paths.to_vec(),
            settings: Vec::new(),
            hashes: Vec::new(),
            sha256: String::new(),
        };
        let mut known = HashSet::new();
        for path in paths {
            if !known.insert(fs::canonicalize(path).unwrap_or_default()) {
                return Err(DataError::Twice(path.clone()).into());
            }
            let Manifest {
                shards,
                settings,
                features: found,
                ..
            } = Manifest::of_finished(path)?;
            if found != features {
                let path = path.to_owned();
                let expected = features.to_owned();
                return Err(DataError::OtherFeatures {
                    path,
                    found,
                    expected,
                }
                .into());
            }
            all.settings.push(settings);
            all.hashes.push(sha256(&serde_json::to_vec(&shards)?));
        }
        all.sha256 = if let [one] = &all.hashes[..] {
            one.clone()
        } else {
            sha256(&serde_json::to_vec(&all.hashes)?)
        };
        Ok(all)
    }

    /// Returns a setting of the rows, which must be equal in all folders.
    pub(crate) fn setting(&self, name: &str) -> anyhow::Result<&Value> {
        let of = |at: usize| {
            let value = self.settings[at].get(name);
            value.with_context(|| format!("{} doesn't say its `{name}`", self.paths[at].display()))
        };
        let first = of(0)?;
        for (at, path) in self.paths.iter().enumerate().skip(1) {
            let value = of(at)?;
            let here = self.paths[0].display();
            let there = path.display();
            ensure!(
                value == first,
                "rows of {here} and {there} can't be learnt together: `{name}` is {first} and {value}"
            );
        }
        Ok(first)
    }

    /// Returns a setting of the rows, as [`Self::setting`] does, and parses it from text.
    pub(crate) fn text<T: FromStr<Err: Display>>(&self, name: &str) -> anyhow::Result<T> {
        let wrong = |why: String| anyhow!("{}, `{name}`: {why}", self.paths[0].display());
        let text = self
            .setting(name)?
            .as_str()
            .ok_or_else(|| wrong("it is not a text".to_owned()))?;
        text.parse()
            .map_err(|error: T::Err| wrong(error.to_string()))
    }

    /// Reads the training and validation games of the folders. With windows, the training games are
    /// read later, window by window. Test games are not read.
    pub(crate) fn tables(
        &self,
        set: &FeatureSet,
        windows: Option<&Windows>,
        limits: ReadLimits<'_>,
    ) -> Result<Tables, DataError> {
        if let Some(windows) = windows {
            let validation = windows.held_out(Split::Validation, limits.stop)?;
            return Ok(Tables {
                train: Rows::Windows(windows.clone()),
                validation,
            });
        }
        let part = |split| read_table(&self.paths, set, split, limits);
        Ok(Tables {
            train: Rows::Whole(part(Split::Train)?),
            validation: part(Split::Validation)?,
        })
    }
}
