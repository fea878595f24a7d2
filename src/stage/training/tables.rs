//! The rows of a round.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, anyhow, ensure};
use serde_json::{Map, Value};

use crate::learn::FeatureSet;
use crate::learn::data::{DataError, Manifest, ReadLimits, Split, Table, read_table};
use crate::learn::model::{Mlp, sha256};

/// Rows to learn from and rows to judge by, of different games.
pub(in crate::stage) struct Tables {
    pub(in crate::stage) train: Table,
    pub(in crate::stage) validation: Table,
}

impl Tables {
    /// Takes the validation games out of `table`.
    pub(in crate::stage) fn split(table: &Table) -> Self {
        let part = |validation: bool| {
            let mut part = Table::new(table.width);
            for row in (0..table.rows()).filter(|&row| (Split::of(table.game[row]) == Split::Validation) == validation)
            {
                part.features.extend_from_slice(table.row(row));
                part.target.push(table.target[row]);
                part.game.push(table.game[row]);
            }
            part
        };
        Self { train: part(false), validation: part(true) }
    }
}

/// Gives the rows of a round; the network is the one trained so far, if there is one.
pub(in crate::stage) type MakeRows<'a> = dyn FnMut(u64, Option<&Arc<Mlp>>) -> anyhow::Result<Tables> + 'a;

/// Folders of `pipeline generate`, whose rows are learnt from together.
pub(in crate::stage) struct DataFolders {
    paths: Vec<PathBuf>,
    /// Those of each folder.
    settings: Vec<Map<String, Value>>,
    /// Of the hashes of their files.
    pub(in crate::stage) sha256: String,
}

impl DataFolders {
    /// Looks at finished folders with rows of this feature set; reads none.
    pub(in crate::stage) fn open(paths: &[PathBuf], features: &str) -> anyhow::Result<Self> {
        let mut all = Self { paths: paths.to_vec(), settings: Vec::new(), sha256: String::new() };
        let mut hashes = Vec::new();
        for path in paths {
            let Manifest { shards, settings, features: found, .. } = Manifest::of_finished(path)?;
            if found != features {
                let (path, expected) = (path.to_owned(), features.to_owned());
                return Err(DataError::OtherFeatures { path, found, expected }.into());
            }
            all.settings.push(settings);
            hashes.push(sha256(&serde_json::to_vec(&shards)?));
        }
        all.sha256 = if let [one] = &hashes[..] { one.clone() } else { sha256(&serde_json::to_vec(&hashes)?) };
        Ok(all)
    }

    /// What the rows were made with, all of them alike.
    pub(in crate::stage) fn setting(&self, name: &str) -> anyhow::Result<&Value> {
        let of = |at: usize| {
            let value = self.settings[at].get(name);
            value.with_context(|| format!("{} doesn't say its `{name}`", self.paths[at].display()))
        };
        let first = of(0)?;
        for (at, path) in self.paths.iter().enumerate().skip(1) {
            let (value, here, there) = (of(at)?, self.paths[0].display(), path.display());
            ensure!(
                value == first,
                "rows of {here} and {there} can't be learnt together: `{name}` is {first} and {value}"
            );
        }
        Ok(first)
    }

    /// The same, for a setting that is a text.
    pub(in crate::stage) fn text<T: FromStr<Err: Display>>(&self, name: &str) -> anyhow::Result<T> {
        let wrong = |why: String| anyhow!("{}, `{name}`: {why}", self.paths[0].display());
        let text = self.setting(name)?.as_str().ok_or_else(|| wrong("it is not a text".to_owned()))?;
        text.parse().map_err(|error: T::Err| wrong(error.to_string()))
    }

    /// Their training and their validation games. The test games are left alone.
    pub(in crate::stage) fn tables(&self, set: &FeatureSet, limits: ReadLimits<'_>) -> Result<Tables, DataError> {
        let part = |split| read_table(&self.paths, set, split, limits);
        Ok(Tables { train: part(Split::Train)?, validation: part(Split::Validation)? })
    }
}
