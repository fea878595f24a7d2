//! A registered artifact, or one that is going to be registered.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::artifact::{Artifact, Expected, Loaded};
use super::error::{ArtifactError, Fault};
use mineflow_store::{StoreError, sha256};

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
    /// The command that made the artifact; empty if unknown.
    pub command: String,
}

/// An artifact with the row that names it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub row: Row,
    /// The path that the artifact was read from.
    pub path: PathBuf,
    pub loaded: Loaded,
}

impl Entry {
    /// Checks that the artifact fits its reader.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::check`], and an error if the row names another feature
    /// set. If an XGBoost model names no feature set, only that of the row is compared.
    pub fn check(&self, expected: &Expected<'_>) -> Result<(), ArtifactError> {
        let said = Some(self.row.features.as_str());
        let checked = self.loaded.artifact.check_said(expected, said);
        checked.map_err(|fault| ArtifactError {
            path: self.path.clone(),
            fault,
        })
    }
}

/// An artifact to be published for a player.
#[derive(Clone, Copy, Debug)]
pub struct Publication<'a> {
    pub player: &'a str,
    /// The origin of the bytes, for messages.
    pub source: &'a Path,
    pub bytes: &'a [u8],
    /// The feature set; required if the artifact does not name it.
    pub features: Option<&'a str>,
    /// The command that made the artifact; it is used if the artifact has no note `command`.
    pub command: &'a str,
}

impl Publication<'_> {
    /// Returns the entry that the registry will have; its path is still the source.
    ///
    /// # Errors
    /// Returns an error if the player's name is invalid, the bytes are not an artifact, or the
    /// feature set is missing or contradicts the artifact's.
    pub fn entry(&self) -> Result<Entry, RegistryError> {
        let Self {
            player,
            source,
            bytes,
            features,
            command,
        } = *self;
        if player.is_empty()
            || player.starts_with('.')
            || !player
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || ".-_".contains(c))
        {
            return Err(RegistryError::Name(player.to_owned()));
        }
        let at = |fault| ArtifactError {
            path: source.to_owned(),
            fault,
        };
        let artifact = Artifact::from_bytes(bytes).map_err(at)?;
        let features = match (artifact.model().features(), features) {
            (Some(found), Some(said)) if found != said => {
                let found = found.to_owned();
                let reader = "--features".to_owned();
                return Err(at(Fault::Features {
                    found,
                    reader,
                    expected: said.to_owned(),
                })
                .into());
            }
            (Some(features), _) | (None, Some(features)) => features.to_owned(),
            (None, None) => {
                return Err(RegistryError::FeaturesUnsaid {
                    path: source.to_owned(),
                });
            }
        };
        let command = artifact
            .model()
            .notes()
            .get("command")
            .map_or(command, String::as_str)
            .to_owned();
        let hash = sha256(bytes);
        let file = format!("{player}/{}.{}", &hash[..12], artifact.model().extension());
        let row = Row {
            player: player.to_owned(),
            file,
            sha256: hash.clone(),
            features,
            command,
        };
        Ok(Entry {
            row,
            path: source.to_owned(),
            loaded: Loaded {
                artifact,
                sha256: hash,
            },
        })
    }
}

/// The error of a registry that can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    #[error("no {FOLDER}/{FILE} was found; looked in {}", list(.looked))]
    NotFound { looked: Vec<PathBuf> },
    #[error("{} can't be read", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
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
    #[error("{} doesn't say which features it reads", path.display())]
    FeaturesUnsaid { path: PathBuf },
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
            Self::Unreadable { .. } | Self::Store(_) => {
                "check the rights of the folder and the space on the disk"
            }
            Self::Invalid { .. } => "restore the file, or name another folder with --models DIR",
            Self::NewerFormat { .. } => {
                "use the version of this program that wrote it, or a newer one"
            }
            Self::NoArtifact { .. } => {
                "train one and import it: pipeline models import PLAYER FILE"
            }
            Self::Name(_) => "`pipeline players` lists the players",
            Self::FeaturesUnsaid { .. } => "say it: --features classifier-v2",
            Self::Artifact(error) => error.help(),
        }
    }
}

fn list(paths: &[PathBuf]) -> String {
    paths
        .iter()
        .map(|path| path.display().to_string())
        .collect::<Vec<_>>()
        .join(", ")
}
