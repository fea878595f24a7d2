//! The record of what a stage was made from: the file `stage.json` of its folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
    sync::atomic::AtomicBool,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Input, InputSource, Stage};
use mineflow_store::{Seal, StoreError, damage, object, pretty, read_record, sha256, write_record};

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
#[derive(Clone, PartialEq, Serialize, Deserialize)]
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

/// Returns the settings of a command that can't be set any more, with the value that they have. They
/// stay in the record, so that finished and unfinished work of earlier versions is found again.
fn constants(command: &str) -> Value {
    match command {
        "ggp match" => json!({"cache": 2_000_000}),
        "train-trees" => json!({"location-score": "opening", "symmetries": "on"}),
        "train-classifier" | "train-q" => json!({"overfit": false, "symmetries": "on"}),
        _ => json!({}),
    }
}

impl StageRecord {
    /// Creates the record of a stage from the hashes of its inputs.
    pub fn of(stage: &Stage, inputs: BTreeMap<String, String>) -> Self {
        let mut settings = stage.settings.clone();
        settings.extend(object(constants(stage.task.name)));
        Self {
            format: FORMAT,
            command: stage.task.name.to_owned(),
            revision: stage.task.revision,
            settings,
            inputs,
            files: Seal::new(),
        }
    }

    /// Reads the record of a folder. Returns `None` if there is none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>, StoreError> {
        read_record(&folder.join(FILE), FORMAT)
    }

    /// Writes the record into a work folder, which is created if it is missing.
    pub(super) fn begin(&self, folder: &Path) -> Result<(), StoreError> {
        fs::create_dir_all(folder).map_err(StoreError::io("make", folder))?;
        self.write(folder)
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
        let mut grown = Self {
            files: wanted.files.clone(),
            ..self.clone()
        };
        if let Some(games) = wanted.settings.get(GAMES) {
            grown.settings.insert(GAMES.to_owned(), games.clone());
        }
        games(self) < games(wanted) && grown == *wanted
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
        let in_words = |(file, why): &(String, String)| match why.as_str() {
            "is missing" => format!("{file} is missing"),
            _ => format!("damaged: {file} is not what stage {stage} wrote"),
        };
        Ok(damaged.iter().map(in_words).collect())
    }

    /// Describes how `wanted` differs from this record. The list is empty if both are equal.
    pub(super) fn differences(&self, wanted: &Self, inputs: &[Input]) -> Vec<String> {
        let command = &self.command;
        if *command != wanted.command {
            return vec![format!(
                "it was made by {command}, now by {}",
                wanted.command
            )];
        }
        let mut differences = Vec::new();
        if self.revision != wanted.revision {
            differences.push(format!(
                "{command} makes other results since revision {}; these are from revision {}",
                wanted.revision, self.revision
            ));
        }
        // Older programs recorded a player for a training that plays no games.
        let plays = wanted.settings.keys().any(|name| name.starts_with(PLAYER));
        let names: BTreeSet<_> = self.settings.keys().chain(wanted.settings.keys()).collect();
        for name in names {
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
        let roles: BTreeSet<_> = self.inputs.keys().chain(wanted.inputs.keys()).collect();
        for role in roles {
            let was = self.inputs.get(role);
            let is = wanted.inputs.get(role);
            if was != is {
                let input = inputs.iter().find(|input| input.role == *role);
                differences.push(match (was, input.map(|input| &input.from)) {
                    _ if is.is_none() => format!("{role} is not an input any more"),
                    (None, _) => format!("{role} is an input now"),
                    (_, Some(InputSource::Stage { name, .. })) => format!("input {name} changed"),
                    (_, Some(InputSource::Path(path))) => {
                        format!("input {} changed", path.display())
                    }
                    (_, None) => format!("{role} changed"),
                });
            }
        }
        differences
    }
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
