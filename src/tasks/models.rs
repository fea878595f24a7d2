//! Trained models in a folder: descriptions, integrity checks and imports.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use serde::Serialize;

use mineflow_minesweeper::FirstClick;
use mineflow_minesweeper::player::{ModelOverride, PlayerSpec, ValueModel};
use mineflow_model::{
    ALPHA, Artifact, ArtifactError, Dense, Entry, Linear, Loaded, Model, Publication, Published,
    Registry, Row, bytes_of, model_file,
};

/// Description of an artifact.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Description {
    pub file: String,
    pub sha256: String,
    /// The feature set; `None` if neither the model (XGBoost) nor the registry names it.
    pub features: Option<String>,
    /// Number of inputs per row.
    pub inputs: usize,
    /// Number of outputs per row.
    pub outputs: usize,
    #[serde(flatten)]
    pub shape: Shape,
    pub notes: BTreeMap<String, String>,
}

/// The structure of the model.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Shape {
    Mlp {
        layers: Vec<Layer>,
        parameters: usize,
    },
    Forest {
        objective: &'static str,
        trees: usize,
        depth: usize,
        nodes: usize,
        columns: Vec<String>,
    },
    Linear {
        theta: [f64; 4],
    },
}

/// A layer of a network.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Layer {
    pub inputs: usize,
    pub outputs: usize,
    pub activation: &'static str,
}

/// The verdict on a registered model: whether the model is intact and its player can load it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    pub player: String,
    pub file: String,
    /// The reason why the model is damaged or its player can't load it; `None` if it is intact.
    pub fault: Option<String>,
}

/// Describes the model of a player, or the model in the file or training folder `name` if there is
/// one.
///
/// # Errors
/// Returns an error if there is no such file or player, or the file is not an artifact.
pub fn show(folder: Option<&Path>, name: &str) -> anyhow::Result<Description> {
    let path = model_file(Path::new(name));
    if path.is_file() {
        let loaded = Artifact::read(&path)?;
        return Ok(describe(&path.display().to_string(), &loaded, None));
    }
    let registry = Registry::open(folder)
        .with_context(|| format!("\"{name}\" is not a file, and no player's name"))?;
    match registry.row(name) {
        Some(row) => show_row(&registry, row),
        None => {
            let players: Vec<_> = registry.rows().map(|row| row.player.as_str()).collect();
            let folder = registry.folder().display();
            anyhow::bail!(
                "\"{name}\" is not a file, and neither {folder} nor the program has a model for it, only for [{}]",
                players.join(", ")
            )
        }
    }
}

/// Describes the model of a row of a registry.
///
/// # Errors
/// Returns the errors of [`Registry::verify`].
pub fn show_row(registry: &Registry, row: &Row) -> anyhow::Result<Description> {
    let path = registry.path(row).display().to_string();
    Ok(describe(&path, &registry.verify(row)?.loaded, Some(row)))
}

fn describe(file: &str, loaded: &Loaded, row: Option<&Row>) -> Description {
    let artifact = &loaded.artifact;
    let layer = |layer: &Dense| Layer {
        inputs: layer.inputs(),
        outputs: layer.outputs(),
        activation: layer.activation.name(),
    };
    let shape = match artifact {
        Artifact::Mlp(mlp) => Shape::Mlp {
            layers: mlp.layers().iter().map(layer).collect(),
            parameters: mlp
                .layers()
                .iter()
                .map(|layer| layer.weight.len() + layer.bias.len())
                .sum(),
        },
        Artifact::Forest(forest) => Shape::Forest {
            objective: forest.objective().name(),
            trees: forest.trees(),
            depth: forest.depth(),
            nodes: forest.nodes(),
            columns: forest.columns().to_vec(),
        },
        Artifact::Linear(linear) => Shape::Linear {
            theta: linear.theta(),
        },
    };
    Description {
        file: file.to_owned(),
        sha256: loaded.sha256.clone(),
        features: artifact
            .model()
            .features()
            .or(row.map(|row| row.features.as_str()))
            .map(str::to_owned),
        inputs: artifact.model().width(),
        outputs: artifact.model().outputs(),
        shape,
        notes: artifact.model().notes().clone(),
    }
}

/// Verifies every artifact of the registry: reads the file, compares its hash and loads the
/// artifact in its player.
pub fn verify(registry: &Registry) -> Vec<Verdict> {
    let verdict = |row: &Row| Verdict {
        player: row.player.clone(),
        file: row.file.clone(),
        fault: registry
            .verify(row)
            .map_err(anyhow::Error::from)
            .and_then(fits)
            .err()
            .map(|error| error.to_string()),
    };
    registry.rows().map(verdict).collect()
}

/// Registers a copy of `file` as the model of `player`.
///
/// # Errors
/// Returns an error if the player loads no model, the file can't be read, is not an artifact or is
/// not of a kind that the player uses, the features are missing or contradictory, or the folder
/// can't be written. Nothing is changed in these cases.
pub fn import(
    folder: Option<&Path>,
    player: &str,
    file: &Path,
    features: Option<&str>,
) -> anyhow::Result<(Registry, Published)> {
    let mut registry = Registry::open_or_new(folder)?;
    known(player)?;
    let file = &model_file(file);
    let bytes = bytes_of(file)?;
    let publication = Publication {
        player,
        source: file,
        bytes: &bytes,
        features,
        command: "",
    };
    fits(publication.entry()?)
        .with_context(|| format!("{} can't become the model of {player}", file.display()))?;
    let published = registry.publish(&publication)?;
    Ok((registry, published))
}

/// Checks that there is a player that loads the model registered under this name.
fn known(player: &str) -> anyhow::Result<()> {
    let names: Vec<_> = PlayerSpec::asking()
        .chain([ALPHA, ValueModel::GENERAL])
        .collect();
    ensure!(
        names.contains(&player) || ValueModel::is_name(player),
        "no player loads a model of the name \"{player}\"; name one of {}, or a board's own value model, such as {}",
        names.join(", "),
        ValueModel::name("expert".parse()?, FirstClick::Safe)
    );
    Ok(())
}

/// Checks that the artifact's player can load it, by loading it.
fn fits(entry: Entry) -> anyhow::Result<()> {
    let player = entry.row.player.clone();
    known(&player)?;
    if ValueModel::is_name(&player) {
        return Ok(entry.check(&ValueModel::expected())?);
    }
    if player != ALPHA {
        PlayerSpec::with_model(&player, &ModelOverride::Registered(Arc::new(entry)))?;
        return Ok(());
    }
    let reader = "train-q";
    entry.check(&Linear::expected(reader))?;
    let alpha = entry.loaded.artifact.into_kind::<Linear>(reader);
    alpha.map_err(|fault| ArtifactError {
        path: entry.path,
        fault,
    })?;
    Ok(())
}
