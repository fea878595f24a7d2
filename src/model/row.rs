//! The rows of a registry, and its errors.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{artifact::Artifact, error::ArtifactError};
use mineflow_store::StoreError;

pub(super) const FILE: &str = "registry.json";
pub(super) const FOLDER: &str = "models";
pub(super) const FORMAT: u32 = 1;

/// A row of the registry: the artifact that a player loads.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The player's name, such as `5.0`; `alpha` for the model that 6.0 and 6.5 share.
    pub player: String,
    /// The file's path relative to the folder, with `/` as separator.
    pub file: String,
    /// SHA-256 of the file's bytes, in hexadecimal.
    pub sha256: String,
    /// The feature set that the artifact reads.
    pub features: String,
    /// What the artifact predicts; `None` if the feature set decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The command that made the artifact; empty if unknown.
    pub command: String,
}

impl Row {
    /// Returns the row under which an artifact is going to be registered for a player that computes
    /// the feature set `features` for it.
    ///
    /// # Errors
    /// Returns an error if the player's name is invalid.
    pub fn new(player: &str, artifact: &Artifact, features: &str) -> Result<Self, RegistryError> {
        let is_known = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        if player.is_empty() || player.starts_with('.') || !player.chars().all(is_known) {
            return Err(RegistryError::Name(player.to_owned()));
        }
        let digits = &artifact.sha256[..12];
        let noted = artifact.model.notes().get("command");
        Ok(Self {
            player: player.to_owned(),
            file: format!("{player}/{digits}.{}", artifact.model.extension()),
            sha256: artifact.sha256.clone(),
            features: features.to_owned(),
            target: artifact.target().map(str::to_owned),
            command: noted.cloned().unwrap_or_default(),
        })
    }
}

/// The error of a registry that can't be used.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    #[error("no {FOLDER}/{FILE} was found; looked in {}", list(.looked))]
    NotFound { looked: Vec<PathBuf> },
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{} is not a registry of models: {problem}", path.display())]
    Invalid { path: PathBuf, problem: String },
    #[error("{} is of format {found}; this program reads format {FORMAT}", path.display())]
    NewerFormat { path: PathBuf, found: u32 },
    #[error("{} names no artifact for player {player}", path.display())]
    NoArtifact { path: PathBuf, player: String },
    #[error(
        "\"{0}\" is not a name of a player: letters, digits, `.`, `-` and `_` only, and no `.` in front"
    )]
    Name(String),
    #[error("the artifacts that are part of the program can't be replaced")]
    BuiltIn,
    #[error(transparent)]
    Artifact(#[from] ArtifactError),
}

impl RegistryError {
    /// Returns a hint for the user on how to fix the error.
    pub fn help(&self) -> &'static str {
        match self {
            Self::NotFound { .. } | Self::BuiltIn => {
                "name the folder that holds registry.json with --models DIR"
            }
            Self::Store(StoreError::OtherOwner { .. }) => {
                "name another folder with --models DIR; nothing there was touched"
            }
            Self::Store(_) => "check the rights of the folder and the space on the disk",
            Self::Invalid { .. } => "restore the file, or name another folder with --models DIR",
            Self::NewerFormat { .. } => {
                "use the version of this program that wrote it, or a newer one"
            }
            Self::NoArtifact { .. } => {
                "train one and import it: pipeline models import PLAYER FILE"
            }
            Self::Name(_) => "`pipeline players` lists the players",
            Self::Artifact(error) => error.help(),
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    let paths: Vec<_> = paths.iter().map(|path| path.to_string_lossy()).collect();
    paths.join(", ")
}
