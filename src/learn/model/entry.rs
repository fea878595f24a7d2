//! An artifact that a registry names, or is to name.

use std::path::{Path, PathBuf};

use super::artifact::{Artifact, Expected, Loaded, sha256};
use super::error::{ArtifactError, Fault};
use super::registry::{RegistryError, Row};

/// An artifact with the row that names it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    pub row: Row,
    /// Where it was read from.
    pub path: PathBuf,
    pub loaded: Loaded,
}

impl Entry {
    /// Whether the artifact fits its reader.
    ///
    /// # Errors
    /// All that [`Artifact::check`] finds. What features an XGBoost model reads that doesn't say so itself, the row says.
    pub fn check(&self, expected: &Expected<'_>) -> Result<(), ArtifactError> {
        let at = |fault| ArtifactError { path: self.path.clone(), fault };
        self.loaded.artifact.check(expected).map_err(at)?;
        if self.row.features != expected.features {
            let (found, reader) = (self.row.features.clone(), expected.reader.to_owned());
            return Err(at(Fault::Features { found, reader, expected: expected.features.to_owned() }));
        }
        Ok(())
    }
}

/// An artifact that is to become a player's.
#[derive(Clone, Copy, Debug)]
pub struct Publication<'a> {
    pub player: &'a str,
    /// Where the bytes come from, for messages.
    pub source: &'a Path,
    pub bytes: &'a [u8],
    /// The feature set, where the artifact doesn't say it.
    pub features: Option<&'a str>,
    /// The command that made it, where the artifact has no note `command`.
    pub command: &'a str,
}

impl Publication<'_> {
    /// What the registry will have; its path is still the source.
    ///
    /// # Errors
    /// A name that is none, bytes that are no artifact, a feature set that is not said or said differently.
    pub fn entry(&self) -> Result<Entry, RegistryError> {
        let Self { player, source, bytes, features, command } = *self;
        if player.is_empty()
            || player.starts_with('.')
            || !player.chars().all(|c| c.is_ascii_alphanumeric() || ".-_".contains(c))
        {
            return Err(RegistryError::Name(player.to_owned()));
        }
        let at = |fault| ArtifactError { path: source.to_owned(), fault };
        let artifact = Artifact::from_bytes(bytes).map_err(at)?;
        let features = match (artifact.model().features(), features) {
            (Some(found), Some(said)) if found != said => {
                let (found, reader) = (found.to_owned(), "--features".to_owned());
                return Err(at(Fault::Features { found, reader, expected: said.to_owned() }).into());
            }
            (Some(features), _) | (None, Some(features)) => features.to_owned(),
            (None, None) => return Err(RegistryError::FeaturesUnsaid { path: source.to_owned() }),
        };
        let command = artifact.model().notes().get("command").map_or(command, String::as_str).to_owned();
        let hash = sha256(bytes);
        let file = format!("{player}/{}.{}", &hash[..12], artifact.model().extension());
        let row = Row { player: player.to_owned(), file, sha256: hash.clone(), features, command };
        Ok(Entry { row, path: source.to_owned(), loaded: Loaded { artifact, sha256: hash } })
    }
}
