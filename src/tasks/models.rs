//! Trained models in a folder: descriptions, integrity checks and imports.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use mineflow_minesweeper::{
    FirstClick,
    player::{PlayerSpec, ValueModel, Version, choose::predicts},
};
use mineflow_model::{
    ALPHA, AnyModel, Artifact, Linear, Model, Models, Registry, Row, TARGET, model_file,
};

/// Description of an artifact.
#[derive(Serialize)]
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
    /// The notes of the file, and the target that the feature set implies.
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
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Layer {
    pub inputs: usize,
    pub outputs: usize,
    pub activation: &'static str,
}

/// The verdict on a registered model: whether the model is intact and its player can load it.
#[derive(PartialEq, Eq, Debug, Serialize)]
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
pub fn show(models: &Models, name: &str) -> Result<Description> {
    let path = model_file(Path::new(name));
    if path.is_file() {
        return Ok(describe(&Artifact::read(&path)?));
    }
    let registry = models
        .registry()
        .with_context(|| format!("\"{name}\" is not a file, and no player's name"))?;
    match registry.row(name) {
        Some(row) => show_row(registry, row),
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
pub fn show_row(registry: &Registry, row: &Row) -> Result<Description> {
    Ok(describe(&registry.verify(row)?))
}

fn describe(artifact: &Artifact) -> Description {
    let mut notes = artifact.model.notes().clone();
    notes.extend(predicts(artifact).map(|target| (TARGET.to_owned(), target.to_owned())));
    Description {
        file: artifact.path.display().to_string(),
        sha256: artifact.sha256.clone(),
        features: artifact.features().map(str::to_owned),
        inputs: artifact.model.width(),
        outputs: artifact.model.outputs(),
        shape: shape(&artifact.model),
        notes,
    }
}

fn shape(model: &AnyModel) -> Shape {
    match model {
        AnyModel::Mlp(network) => {
            let layers = network.layers().iter();
            Shape::Mlp {
                parameters: layers
                    .clone()
                    .map(|layer| layer.weight.len() + layer.bias.len())
                    .sum(),
                layers: layers
                    .map(|layer| Layer {
                        inputs: layer.inputs(),
                        outputs: layer.outputs(),
                        activation: layer.activation.name(),
                    })
                    .collect(),
            }
        }
        AnyModel::Forest(forest) => Shape::Forest {
            objective: forest.objective().name(),
            trees: forest.trees(),
            depth: forest.depth(),
            nodes: forest.nodes(),
            columns: forest.columns().to_vec(),
        },
        AnyModel::Linear(linear) => Shape::Linear {
            theta: linear.theta(),
        },
    }
}

/// Verifies every artifact of the registry: reads the file, compares its hash and loads the
/// artifact in its player.
pub fn verify(registry: &Registry) -> Vec<Verdict> {
    let fault = |row: &Row| match registry.verify(row) {
        Ok(artifact) => fits(&row.player, &artifact.into()).err(),
        Err(error) => Some(error.into()),
    };
    let verdict = |row: &Row| Verdict {
        player: row.player.clone(),
        file: row.file.clone(),
        fault: fault(row).map(|error| error.to_string()),
    };
    registry.rows().map(verdict).collect()
}

/// Reads `file`, which is going to be registered as the model of `player`, and returns it with its
/// row. If nobody names the features, they are those that the player's rule assumes.
///
/// # Errors
/// Returns an error if the player loads no model, the file can't be read or is not an artifact, or
/// its target or its features are not those of the player's rule.
pub fn importable(
    player: &str,
    file: &Path,
    features: Option<&str>,
) -> Result<(Row, Arc<Artifact>)> {
    known(player)?;
    let mut artifact = Artifact::read(file)?;
    if let Some(features) = features {
        artifact.check_features(features, "--features")?;
        artifact.said = Some(features.to_owned());
    }
    let artifact = Arc::new(artifact);
    let reads = fits(player, &artifact).with_context(|| {
        let file = artifact.path.display();
        format!("{file} can't become the model of {player}")
    })?;
    Ok((Row::new(player, &artifact, reads)?, artifact))
}

/// Checks that there is a player that loads the model registered under this name.
fn known(player: &str) -> Result<()> {
    let names: Vec<_> = PlayerSpec::asking()
        .chain([ALPHA, ValueModel::GENERAL])
        .collect();
    let is_own = Version::of_model(player).is_some();
    ensure!(
        names.contains(&player) || is_own || ValueModel::is_name(player),
        "no player loads a model of the name \"{player}\"; name one of {}, a model of your own, such as my-5.0, or a \
         board's own value model, such as {}",
        names.join(", "),
        ValueModel::name("expert".parse()?, FirstClick::Safe)
    );
    Ok(())
}

/// Checks that the player can load the artifact, by loading it. Returns the name of the feature set
/// that the player computes for it.
fn fits(player: &str, artifact: &Arc<Artifact>) -> Result<&'static str> {
    known(player)?;
    let expected = match player {
        ALPHA => Linear::expected("train-q"),
        _ => ValueModel::expected(),
    };
    if player == ALPHA || ValueModel::is_name(player) {
        artifact.check(&expected)?;
        if player == ALPHA {
            Artifact::clone(artifact).into_alpha(expected.reader)?;
        }
        return Ok(expected.features);
    }
    let player = PlayerSpec::with_model(player, artifact.clone())?;
    let model = player.model().expect("it has this model");
    Ok(model.features.set().name)
}
