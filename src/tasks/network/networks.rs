//! Networks that a training run starts from, and their metadata.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use mineflow_minesweeper::player::{PlayerSpec, choose::LoadedModel};
use mineflow_model::{Artifact, Expected, Mlp};

/// Reads the network in a file and returns it with the file's hash.
pub(crate) fn read_network(
    path: &Path,
    expected: &Expected<'_>,
) -> anyhow::Result<(Arc<Mlp>, String)> {
    let artifact = Artifact::load(path, expected)?;
    let sha256 = artifact.sha256.clone();
    Ok((Arc::new(artifact.into_network(expected.reader)?), sha256))
}

/// Returns a network as a player version reads it, with the settings of its input rows.
pub(crate) fn loaded(version: &str, network: &Mlp) -> anyhow::Result<Arc<LoadedModel>> {
    let player = PlayerSpec::with_model(version, Artifact::in_memory(network))?;
    let model = player.model().context("a version of a network asks one")?;
    Ok(model.clone())
}
