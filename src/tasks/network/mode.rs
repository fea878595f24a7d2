//! The two ways of training a network.

use std::{path::Path, sync::Arc};

use anyhow::Context as _;

use crate::training_records::Round;
use mineflow_minesweeper::player::{PlayerSpec, choose::LoadedModel};
use mineflow_model::{Artifact, Expected, Mlp};

/// A network to start from instead of random weights, with the hash of its file.
pub(super) type Start = (Arc<Mlp>, String);

/// The way in which a network is trained.
pub(crate) struct Mode {
    /// An epoch over the same rows in every round, or an episode with rows of new games of the
    /// current network.
    pub round: Round,
    /// The number of rounds of the whole training run.
    pub rounds: u32,
    pub start: Option<Start>,
}

/// Reads the network in a file and returns it with the file's hash.
pub(crate) fn read_network(path: &Path, expected: &Expected<'_>) -> anyhow::Result<Start> {
    let artifact = Artifact::load(path, expected)?;
    let sha256 = artifact.sha256.clone();
    Ok((Arc::new(artifact.into_network(expected.reader)?), sha256))
}

/// Returns the network as the player version loads it.
pub(crate) fn loaded(version: &str, network: &Mlp) -> anyhow::Result<Arc<LoadedModel>> {
    let player = PlayerSpec::with_model(version, Artifact::in_memory(network))?;
    let model = player.model().cloned();
    model.with_context(|| format!("player {version} asks no network"))
}
