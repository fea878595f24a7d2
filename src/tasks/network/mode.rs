//! The two ways of training a network.

use std::path::Path;
use std::sync::Arc;

use crate::training_records::Round;
use mineflow_minesweeper::player::{ModelOverride, PlayerSpec, Recipe, choose::Rule};
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
    let (network, sha256) = Artifact::load_kind(path, expected)?;
    Ok((Arc::new(network), sha256))
}

/// Returns the rule by which a player version chooses with this network.
pub(crate) fn rule(version: &str, network: &Arc<Mlp>) -> anyhow::Result<Rule> {
    match PlayerSpec::with_model(version, &ModelOverride::Network(network.clone()))?.recipe {
        Recipe::Steps(steps) => Ok(steps.choice.rule),
        _ => anyhow::bail!("player {version} asks no network"),
    }
}
