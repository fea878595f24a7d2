//! The report of a folder of tables and training records, or of the folders of a pipeline's stages.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde_json::Value;

use super::build::build;
use super::inputs::{Inputs, NamedPlayer, PlayerModel, Training};
use mineflow_minesweeper::player::versions;
use mineflow_model::{Registry, RegistryError};
use mineflow_tasks::models::{Description, show, show_row};

/// The tables of games that are looked for, most important first.
const GAMES: [&str; 6] = [
    "table4.csv",
    "learned.csv",
    "section53.csv",
    "section53-exponential.csv",
    "section53-half.csv",
    "figure5.csv",
];
/// The record of all models that were ever made, beside the registry.
const HISTORY: &str = "HISTORY.md";
/// The table of `pipeline calibrate`.
const CALIBRATION: &str = "calibration.csv";
/// The file in which every other stage describes itself.
const MANIFEST: &str = "manifest.json";
/// Digits of a content hash by which the history of models names a file.
const SHOWN_DIGITS: usize = 12;

/// The inputs as they lie in a folder such as `notebooks-free-reports`: tables in `play`, training records in `training`, SameGame in
/// `samegame`. What players load is described from the registry of `models`, or of the usual places.
///
/// # Errors
/// A registry or an artifact that is broken.
pub fn inputs_in(folder: &Path, models: Option<&Path>) -> anyhow::Result<Inputs> {
    let (play, training) = (folder.join("play"), folder.join("training"));
    let registry = match Registry::open(models) {
        Err(RegistryError::NotFound { .. }) => None,
        opened => Some(opened?),
    };
    let history = registry
        .as_ref()
        .and_then(|registry| fs::read_to_string(registry.folder().join(HISTORY)).ok());
    let history = history.unwrap_or_default();
    Ok(Inputs {
        games: GAMES.iter().map(|name| play.join(name)).collect(),
        calibration: Some(play.join(CALIBRATION)),
        rule_sheets: Some(folder.join("ggp")),
        training: Training {
            trees: Some(training.join("trees")),
            classifier: Some(training.join("classifier")),
            q_single: Some(training.join("q-single")),
            q_iterative: Some(training.join("q-iterative")),
            alpha: Some(training.join("alpha")),
        },
        samegame: Some(folder.join("samegame")),
        strength: Some(play),
        page_folder: Some(folder.to_owned()),
        versions: named(|player| {
            registry
                .as_ref()
                .map_or(Ok(None), |registry| published(registry, &history, player))
        })?,
    })
}

/// Whether a folder belongs to one stage, and is not a folder of stages.
pub fn is_stage(folder: &Path) -> bool {
    [MANIFEST, CALIBRATION]
        .iter()
        .any(|file| folder.join(file).exists())
}

/// The inputs as the stages of a pipeline left them, each in its folder, known by the command in its manifest. Folders of other
/// commands are left out. Of several trainings of one player the last one counts; tables of games all count, in their order.
///
/// # Errors
/// A manifest or an artifact that can't be read as one.
pub fn inputs_of(stages: &[PathBuf]) -> anyhow::Result<Inputs> {
    let mut inputs = Inputs::default();
    let mut artifacts = HashMap::new();
    for folder in stages {
        if folder.join(CALIBRATION).exists() {
            inputs.calibration = Some(folder.join(CALIBRATION));
            continue;
        }
        let manifest = folder.join(MANIFEST);
        let Ok(text) = fs::read(&manifest) else {
            continue;
        };
        let read: Value = serde_json::from_slice(&text)
            .with_context(|| format!("{} is not a manifest", manifest.display()))?;
        let settings = &read["settings"];
        let Training {
            trees,
            classifier,
            q_single,
            q_iterative,
            alpha,
        } = &mut inputs.training;
        let (kept, player, artifact) = match settings["command"].as_str() {
            Some("eval") => {
                inputs.games.push(folder.join("eval.csv"));
                continue;
            }
            Some("train-trees") => (trees, "5.0", "artifact.json"),
            Some("train-classifier") => (classifier, "5.5", "artifact.safetensors"),
            Some("train-q") if settings.get("episodes").is_some() => {
                (q_iterative, "6.0", "artifact.safetensors")
            }
            Some("train-q") => (q_single, "6.5", "artifact.safetensors"),
            Some("fit-alpha") => (alpha, "alpha", "alpha.safetensors"),
            _ => continue,
        };
        *kept = Some(folder.clone());
        artifacts.insert(player, folder.join(artifact));
    }
    inputs.versions = named(|player| {
        let Some(file) = artifacts.get(player) else {
            return Ok(None);
        };
        let file = file.to_string_lossy();
        Ok(Some(PlayerModel {
            description: show(None, &file)?,
            shown_by: file.into_owned(),
            made: Vec::new(),
        }))
    })?;
    Ok(inputs)
}

/// Writes the report of `inputs` into the folder `out`, made if missing, and gives the paths of its files. Each is written whole or not
/// at all.
///
/// # Errors
/// An input that exists and is wrong; nothing is then written. A folder that can't be written.
pub fn write(inputs: &Inputs, out: &Path) -> anyhow::Result<Vec<PathBuf>> {
    mineflow_store::refuse_other_owner(out, "report")?;
    let files = build(inputs)?;
    let mut written = Vec::with_capacity(files.len());
    for file in files {
        let path = out.join(&file.name);
        let folder = path.parent().unwrap_or(out);
        fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
        mineflow_store::write(&path, file.text.as_bytes())?;
        written.push(path);
    }
    Ok(written)
}

/// The table of players, with what they load.
fn named(
    model: impl Fn(&str) -> anyhow::Result<Option<PlayerModel>>,
) -> anyhow::Result<Vec<NamedPlayer>> {
    let version = |version: &mineflow_minesweeper::player::Version| {
        Ok(NamedPlayer {
            name: version.name.to_owned(),
            recipe: version.recipe.to_owned(),
            summary: version.summary.to_owned(),
            source: version.source.to_owned(),
            model: model(version.name)?,
        })
    };
    versions().iter().map(version).collect()
}

/// What the registry has for a player, with its row of the history beside it.
fn published(
    registry: &Registry,
    history: &str,
    player: &str,
) -> anyhow::Result<Option<PlayerModel>> {
    let Some(row) = registry.row(player) else {
        return Ok(None);
    };
    let description = Description {
        file: row.file.clone(),
        ..show_row(registry, row)?
    };
    Ok(Some(PlayerModel {
        description,
        shown_by: player.to_owned(),
        made: made(history, &row.sha256),
    }))
}

/// The row of the history that names a hash: the other columns with their titles.
fn made(history: &str, sha256: &str) -> Vec<(String, String)> {
    let cells = |line: &str| -> Vec<String> {
        line.trim()
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let mut lines = history.lines().filter(|line| line.starts_with('|'));
    let Some(header) = lines.next().map(cells) else {
        return Vec::new();
    };
    let digits = &sha256[..SHOWN_DIGITS.min(sha256.len())];
    let Some(row) = lines.find(|line| line.contains(digits)).map(cells) else {
        return Vec::new();
    };
    header
        .into_iter()
        .zip(row)
        .filter(|(name, _)| !["player", "file"].contains(&name.as_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_history_says_how_a_file_was_made() {
        let history = "# Title\n\n| player | file | data | verdict |\n|---|---|---|---|\n| 5.0 | `0123456789ab` | rows | good |\n";
        let row = made(history, "0123456789abcdef");
        assert_eq!(
            row,
            [
                ("data".to_owned(), "rows".to_owned()),
                ("verdict".to_owned(), "good".to_owned())
            ]
        );
        assert_eq!(made(history, "ffffffffffffffff"), []);
        assert_eq!(made("", "0123456789abcdef"), []);
    }
}
