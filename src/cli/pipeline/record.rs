//! The record of what a stage was made from: the file `stage.json` of its folder.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Input, InputSource, Stage};
use mineflow_store::{Seal, StoreError, damage, pretty, read_record, sha256, write_record};

pub(super) const FILE: &str = "stage.json";
/// The format that this program writes and reads. Since format 3 the files of the finished folder
/// have hashes.
const FORMAT: u64 = 3;
/// The setting with the number of games.
const GAMES: &str = "games";
/// The prefix of the settings that record the players' recipes.
pub(super) const PLAYER: &str = "player ";
/// The maximum length of a setting's value that is shown, in characters.
const LONGEST: usize = 60;

/// The record of what a stage was made from, independent of threads, time and machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StageRecord {
    format: u64,
    pub command: String,
    pub revision: u32,
    pub settings: Map<String, Value>,
    /// SHA-256 of every input's content, by role.
    pub inputs: BTreeMap<String, String>,
    /// The files of the finished folder with their hashes; empty before it is finished.
    pub files: Seal,
}

impl StageRecord {
    /// Creates the record of a stage from the hashes of its inputs.
    pub fn of(stage: &Stage, inputs: BTreeMap<String, String>) -> Self {
        let command = stage.task.name.to_owned();
        let revision = stage.task.revision;
        Self {
            format: FORMAT,
            command,
            revision,
            settings: stage.settings.clone(),
            inputs,
            files: Seal::new(),
        }
    }

    /// Reads the record of a folder. Returns `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        read_record(&folder.join(FILE), FORMAT)
    }

    pub(super) fn write(&self, folder: &Path) -> Result<(), StoreError> {
        write_record(&folder.join(FILE), self)
    }

    /// Returns the first digits of a hash of the record and `more`.
    pub(super) fn hash(&self, more: &str) -> String {
        let bytes = pretty(&Self {
            files: Seal::new(),
            ..self.clone()
        });
        sha256(&[&bytes, more.as_bytes()].concat())[..12].to_owned()
    }

    /// Returns whether `wanted` differs from this record only by more games.
    pub(super) fn grows_into(&self, wanted: &Self) -> bool {
        let games = |record: &Self| record.settings.get(GAMES)?.as_u64();
        let settings = Map::from_iter([(GAMES.to_owned(), Value::Null)]);
        let without = |record: &Self| {
            let mut rest = Self {
                files: Seal::new(),
                ..record.clone()
            };
            rest.settings.extend(settings.clone());
            rest
        };
        games(self) < games(wanted) && without(self) == without(wanted)
    }

    /// Lists the files of the finished folder that are missing or changed. Reads all of them, as
    /// sizes and timestamps don't suffice.
    pub(super) fn damage(
        &self,
        finished: &Path,
        stage: &str,
        stop: &AtomicBool,
    ) -> Result<Vec<String>, StoreError> {
        let damaged = damage(finished, &self.files, stop)?;
        let in_words = |(file, why): (String, String)| match why.as_str() {
            "is missing" => format!("{file} is missing"),
            _ => format!("damaged: {file} is not what stage {stage} wrote"),
        };
        Ok(damaged.into_iter().map(in_words).collect())
    }

    /// Describes how `wanted` differs from this record. The list is empty if both are equal.
    pub(super) fn differences(&self, wanted: &Self, inputs: &[Input]) -> Vec<String> {
        let mut differences = Vec::new();
        if self.command != wanted.command {
            return vec![format!(
                "it was made by {}, now by {}",
                self.command, wanted.command
            )];
        }
        if self.revision != wanted.revision {
            let command = &self.command;
            let was = self.revision;
            let is = wanted.revision;
            differences.push(format!(
                "{command} makes other results since revision {is}; these are from revision {was}"
            ));
        }
        // Older programs recorded a player for a training that plays no games.
        let plays = wanted.settings.keys().any(|name| name.starts_with(PLAYER));
        for name in names(&self.settings, &wanted.settings) {
            let was = self.settings.get(name);
            let is = wanted.settings.get(name);
            if was != is && (plays || !name.starts_with(PLAYER)) {
                differences.push(match (was.map(shown), is.map(shown)) {
                    (Some(Some(was)), Some(Some(is))) => {
                        format!("{name} changed from {was} to {is}")
                    }
                    (None, Some(Some(is))) => format!("{name} is new: {is}"),
                    (Some(Some(was)), None) => format!("{name} is no longer given, it was {was}"),
                    _ => format!("{name} changed"),
                });
            }
        }
        for role in names(&self.inputs, &wanted.inputs) {
            let source = || {
                inputs
                    .iter()
                    .find(|input| input.role == *role)
                    .map(|input| &input.from)
            };
            match (self.inputs.get(role), wanted.inputs.get(role)) {
                (was, is) if was == is => {}
                (Some(_), Some(_)) => differences.push(match source() {
                    Some(InputSource::Stage { name, .. }) => format!("input {name} changed"),
                    Some(InputSource::Path(path)) => format!("input {} changed", path.display()),
                    None => format!("{role} changed"),
                }),
                (None, _) => differences.push(format!("{role} is an input now")),
                (_, None) => differences.push(format!("{role} is not an input any more")),
            }
        }
        differences
    }
}

/// Returns the union of the keys of both maps, in order.
fn names<'a, A: 'a, B: 'a>(
    a: impl IntoIterator<Item = (&'a String, &'a A)>,
    b: impl IntoIterator<Item = (&'a String, &'a B)>,
) -> Vec<&'a String> {
    let mut names: Vec<_> = a
        .into_iter()
        .map(|(name, _)| name)
        .chain(b.into_iter().map(|(name, _)| name))
        .collect();
    names.sort();
    names.dedup();
    names
}

/// Formats a value as it is typed, or returns `None` if it is too long to show.
fn shown(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().unwrap_or_default())
            .collect::<Vec<_>>()
            .join(","),
        other => other.to_string(),
    };
    (text.chars().count() <= LONGEST).then_some(text)
}
