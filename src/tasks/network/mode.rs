//! The two ways of training a network.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context as _;

use crate::training_records::Round;
use mineflow_minesweeper::player::PlayerSpec;
use mineflow_minesweeper::player::choose::LoadedModel;
use mineflow_model::{Artifact, Expected, Mlp};

/// The way in which a network is trained.
#[derive(Clone, Debug)]
pub(crate) enum Mode {
    /// Every round is an epoch over the same rows.
    SinglePass { epochs: u32 },
    /// Every round is an episode with rows of new games of the current network.
    Iterative {
        episodes: u32,
        /// The network to start from instead of random weights, with the hash of its file.
        start: Option<(Arc<Mlp>, String)>,
    },
}

impl Mode {
    /// Returns the kind of the rounds.
    pub(super) fn round(&self) -> Round {
        match self {
            Self::SinglePass { .. } => Round::Epoch,
            Self::Iterative { .. } => Round::Episode,
        }
    }

    /// Returns the number of rounds of the whole training run.
    pub(super) fn rounds(&self) -> u32 {
        match *self {
            Self::SinglePass { epochs: rounds }
            | Self::Iterative {
                episodes: rounds, ..
            } => rounds,
        }
    }

    /// Returns the network to start from, if there is one.
    pub(super) fn start(&self) -> Option<&Arc<Mlp>> {
        match self {
            Self::Iterative { start, .. } => start.as_ref().map(|(network, _)| network),
            Self::SinglePass { .. } => None,
        }
    }
}

/// Reads the network in a file and returns it with the file's hash.
pub(crate) fn read_network(
    path: &Path,
    expected: &Expected<'_>,
) -> anyhow::Result<(Arc<Mlp>, String)> {
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
