//! Networks that a training run starts from, and their metadata.

use std::path::Path;
use std::sync::Arc;

use mineflow_minesweeper::features::LocationScore;
use mineflow_minesweeper::player::{ModelOverride, PlayerSpec, Recipe, choose::Rule};
use mineflow_model::{Artifact, Expected, Mlp};

/// Reads the network in a file and returns it with the file's hash.
pub(crate) fn read_network(
    path: &Path,
    expected: &Expected<'_>,
) -> anyhow::Result<(Arc<Mlp>, String)> {
    let (network, sha256) = Artifact::load_kind(path, expected)?;
    Ok((Arc::new(network), sha256))
}

/// Returns which location score the features of a classifier contain.
pub(crate) fn location_score(network: &Arc<Mlp>) -> anyhow::Result<LocationScore> {
    match rule("5.5", network)? {
        Rule::ByNetwork(rule) => Ok(rule.rows().score),
        other => anyhow::bail!("player 5.5 chooses by {other}, not by a network"),
    }
}

/// Returns the rule by which a player version chooses with this network.
pub(crate) fn rule(version: &str, network: &Arc<Mlp>) -> anyhow::Result<Rule> {
    match PlayerSpec::with_model(version, &ModelOverride::Network(network.clone()))?.recipe {
        Recipe::Steps(steps) => Ok(steps.choice.rule),
        _ => anyhow::bail!("player {version} asks no network"),
    }
}
