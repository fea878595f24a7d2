//! The settings of data folders whose rows are combined.

use std::{fmt::Display, path::PathBuf, str::FromStr};

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::Value;

use crate::train_q::{note_q, q_settings};
use mineflow_learn::data::{DataFolders, Manifest};
use mineflow_minesweeper::features::{LocationScore, feature_set};
use mineflow_model::{Metadata, Target};
use mineflow_store::sha256;

/// Opens data folders with rows of any kind, which must have one feature set. Returns them with the
/// settings of their rows, which players read from an artifact.
pub(crate) fn open_rows(paths: &[PathBuf]) -> Result<(DataFolders, Metadata)> {
    let first = paths.first().context("there are no data folders")?;
    let named = Manifest::of_finished(first)?.features;
    let features = feature_set(&named)
        .with_context(|| format!("{}: this version has no features {named}", first.display()))?;
    let folders = DataFolders::open(paths, features.set())?;
    let metadata = Metadata::new(&named);
    let inputs = match folders.set.target {
        Target::Safe => {
            let score: LocationScore = setting_text(&folders, "score")?;
            metadata.note("location_score", score)
        }
        Target::Return => note_q(&q_settings(&folders)?, metadata),
        Target::Won | Target::Gain => metadata,
    };
    Ok((folders, inputs))
}

/// Returns the hash of all rows: SHA-256 over the hashes of the files, and with several folders
/// SHA-256 over these hashes.
pub(crate) fn hash(data: &DataFolders) -> Result<String> {
    let mut hashes = Vec::new();
    for (_, manifest) in &data.folders {
        hashes.push(sha256(&serde_json::to_vec(&manifest.shards)?));
    }
    Ok(match &hashes[..] {
        [one] => one.clone(),
        _ => sha256(&serde_json::to_vec(&hashes)?),
    })
}

/// Returns a setting of the rows, which must be equal in all folders.
pub(crate) fn setting<'d>(data: &'d DataFolders, name: &str) -> Result<&'d Value> {
    let mut first = None;
    for (path, manifest) in &data.folders {
        let there = path.display();
        let value = manifest.settings.get(name);
        let value = value.with_context(|| format!("{there} doesn't say its `{name}`"))?;
        let (here, expected) = *first.get_or_insert((path, value));
        let here = here.display();
        ensure!(
            value == expected,
            "rows of {here} and {there} can't be learnt together: `{name}` is {expected} and {value}"
        );
    }
    first
        .map(|(_, value)| value)
        .context("there are no data folders")
}

/// Returns a setting of the rows, as [`setting`] does, and parses it from text.
pub(crate) fn setting_text<T: FromStr<Err: Display>>(data: &DataFolders, name: &str) -> Result<T> {
    let text = setting(data, name)?.as_str();
    let parsed = text.ok_or_else(|| "it is not a text".to_owned());
    let parsed = parsed.and_then(|text| text.parse().map_err(|error: T::Err| error.to_string()));
    parsed.map_err(|why| anyhow!("{}, `{name}`: {why}", data.folders[0].0.display()))
}
