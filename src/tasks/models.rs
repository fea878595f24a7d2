//! The trained models of a folder: what they are, whether they are whole, and how new ones come in.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, ensure};
use serde::Serialize;

use mineflow_minesweeper::FirstClick;
use mineflow_minesweeper::player::{ModelOverride, PlayerSpec, ValueModel};
use mineflow_model::{
    ALPHA, Artifact, ArtifactError, Dense, Entry, Linear, Loaded, Model, Publication, Published,
    Registry, Row, bytes_of,
};

/// What an artifact is and says of itself.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Description {
    pub file: String,
    pub sha256: String,
    /// The feature set; none if an XGBoost model doesn't say and no row of the registry says it.
    pub features: Option<String>,
    /// Numbers a row.
    pub inputs: usize,
    /// Numbers that it gives for a row.
    pub outputs: usize,
    #[serde(flatten)]
    pub shape: Shape,
    pub notes: BTreeMap<String, String>,
}

/// What stands inside.
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

/// Whether what a player loads is whole, and one that it can load.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    pub player: String,
    pub file: String,
    /// None if all is well.
    pub fault: Option<String>,
}

/// Describes what a player loads or, where there is such a file, a file.
///
/// # Errors
/// No such file and no such player, or a file that is not an artifact.
pub fn show(folder: Option<&Path>, name: &str) -> anyhow::Result<Description> {
    let path = Path::new(name);
    if path.is_file() {
        return Ok(describe(name, &Artifact::read(path)?, None));
    }
    let registry = Registry::open(folder)
        .with_context(|| format!("\"{name}\" is not a file, and no player's name"))?;
    match registry.row(name) {
        Some(row) => show_row(&registry, row),
        None => {
            let players: Vec<_> = registry
                .rows()
                .iter()
                .map(|row| row.player.as_str())
                .collect();
            let folder = registry.folder().display();
            anyhow::bail!(
                "\"{name}\" is not a file, and {folder} has no model for it, only for [{}]",
                players.join(", ")
            )
        }
    }
}

/// Describes what a row of a registry names.
///
/// # Errors
/// All that [`Registry::verify`] finds.
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

/// Reads every artifact of the registry, compares its hash and has its player load it.
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
    registry.rows().iter().map(verdict).collect()
}

/// Makes a copy of `file` what `player` loads.
///
/// # Errors
/// A player that loads no model, a file that can't be read, is not an artifact or is not one that the player can ask, features that
/// are missing or contradictory, a folder that can't be written. Nothing is then changed.
pub fn import(
    folder: Option<&Path>,
    player: &str,
    file: &Path,
    features: Option<&str>,
) -> anyhow::Result<(Registry, Published)> {
    let mut registry = Registry::open_or_new(folder)?;
    known(player)?;
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

/// Checks that some player loads what is registered under this name.
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

/// Checks that its player can load an artifact: the player itself tries.
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
