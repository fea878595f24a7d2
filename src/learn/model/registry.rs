//! `models/registry.json`: which artifact each player loads, by content hash.
//!
//! The file of an artifact is `PLAYER/` and the first twelve digits of its SHA-256, and never changes. Publishing another one
//! adds its file, then replaces the player's row; old files stay until somebody deletes them.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::{env, fs};

use serde::{Deserialize, Serialize};

use super::artifact::{Artifact, Expected, Loaded, bytes_of};
use super::entry::{Entry, FILE, FOLDER, FORMAT, Publication, RegistryError, Row};
use super::error::{ArtifactError, Fault};
use crate::store::{StoreError, sha256, write};

/// The name under which alpha is registered, which no player loads: 6.0 and 6.5 are trained with it.
pub const ALPHA: &str = "alpha";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryFile {
    format: u32,
    artifacts: Vec<Row>,
}

/// The artifacts of a folder, ordered by player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registry {
    folder: PathBuf,
    rows: Vec<Row>,
}

/// What publishing did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Published {
    pub row: Row,
    /// What the player loaded until now.
    pub replaced: Option<Row>,
}

impl Registry {
    /// Reads the registry of this folder, or without one of the first of these places that has one: `models` in the current
    /// directory; `models` beside the program, one folder above it (`bin`), or two (`target/release`).
    ///
    /// # Errors
    /// None found, or one that can't be read or is broken.
    pub fn open(folder: Option<&Path>) -> Result<Self, RegistryError> {
        let places = folder.map_or_else(places, |folder| vec![folder.to_owned()]);
        match places.iter().find(|place| place.join(FILE).exists()) {
            Some(place) => Self::read(place),
            None => Err(RegistryError::NotFound { looked: places }),
        }
    }

    /// The same; a folder that is named and has no registry gets one when something is published.
    ///
    /// # Errors
    /// As [`Registry::open`], a named folder aside.
    pub fn open_or_new(folder: Option<&Path>) -> Result<Self, RegistryError> {
        match (Self::open(folder), folder) {
            (Err(RegistryError::NotFound { .. }), Some(folder)) => {
                Ok(Self { folder: folder.to_owned(), rows: Vec::new() })
            }
            (result, _) => result,
        }
    }

    fn read(folder: &Path) -> Result<Self, RegistryError> {
        let path = folder.join(FILE);
        let text = fs::read(&path).map_err(|source| RegistryError::Unreadable { path: path.clone(), source })?;
        let invalid = |problem: String| RegistryError::Invalid { path: path.clone(), problem };
        let newer = serde_json::from_slice::<serde_json::Value>(&text)
            .ok()
            .and_then(|value| value.get("format")?.as_u64())
            .and_then(|format| u32::try_from(format).ok())
            .filter(|&format| format > FORMAT);
        if let Some(found) = newer {
            return Err(RegistryError::NewerFormat { path, found });
        }
        let document: RegistryFile = serde_json::from_slice(&text).map_err(|error| invalid(error.to_string()))?;
        if document.format != FORMAT {
            return Err(invalid(format!("there is no format {}", document.format)));
        }
        let mut players = BTreeSet::new();
        for row in &document.artifacts {
            if !players.insert(&row.player) {
                return Err(invalid(format!("player {} has two rows", row.player)));
            }
            if Path::new(&row.file).components().any(|part| !matches!(part, Component::Normal(_))) {
                return Err(invalid(format!("\"{}\" lies outside the folder", row.file)));
            }
        }
        let mut rows = document.artifacts;
        rows.sort_by(|a, b| a.player.cmp(&b.player));
        Ok(Self { folder: folder.to_owned(), rows })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All rows, by player.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a player.
    pub fn row(&self, player: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.player == player)
    }

    /// Where the file of a row lies.
    pub fn path(&self, row: &Row) -> PathBuf {
        self.folder.join(&row.file)
    }

    /// Loads what a player uses.
    ///
    /// # Errors
    /// No row for the player, a file of another hash, and all that [`Artifact::read`] and [`Entry::check`] find.
    pub fn load(&self, player: &str, expected: &Expected) -> Result<Loaded, RegistryError> {
        let entry = self.entry(player)?;
        entry.check(expected)?;
        Ok(entry.loaded)
    }

    /// Reads what a player uses, whatever its reader.
    ///
    /// # Errors
    /// No row for the player, and all that [`Registry::verify`] finds.
    pub fn entry(&self, player: &str) -> Result<Entry, RegistryError> {
        let no_row = || RegistryError::NoArtifact { path: self.folder.join(FILE), player: player.to_owned() };
        Ok(self.verify(self.row(player).ok_or_else(no_row)?)?)
    }

    /// Reads the file of a row, which must have the row's hash.
    ///
    /// # Errors
    /// Another hash, and all that [`Artifact::read`] finds.
    pub fn verify(&self, row: &Row) -> Result<Entry, ArtifactError> {
        let path = self.path(row);
        let at = |fault| ArtifactError { path: path.clone(), fault };
        let bytes = bytes_of(&path)?;
        let found = sha256(&bytes);
        if found != row.sha256 {
            return Err(at(Fault::Hash { found, expected: row.sha256.clone() }));
        }
        let artifact = Artifact::from_bytes(&bytes).map_err(at)?;
        Ok(Entry { row: row.clone(), path, loaded: Loaded { artifact, sha256: found } })
    }

    /// Makes the bytes of an artifact the one that a player loads: its file first, then the registry, each under another
    /// name until it is whole. Whether it fits the player is not looked at.
    ///
    /// # Errors
    /// As [`Publication::entry`], and a file that can't be written.
    pub fn publish(&mut self, publication: &Publication) -> Result<Published, RegistryError> {
        let Entry { row, .. } = publication.entry()?;
        write_whole(&self.folder.join(&row.file), publication.bytes)?;

        let mut rows = self.rows.clone();
        let replaced = rows.iter().position(|old| old.player == row.player).map(|index| rows.remove(index));
        rows.push(row.clone());
        rows.sort_by(|a, b| a.player.cmp(&b.player));
        let mut text = serde_json::to_string_pretty(&RegistryFile { format: FORMAT, artifacts: rows.clone() })
            .expect("strings and whole numbers can always be written");
        text.push('\n');
        write_whole(&self.folder.join(FILE), text.as_bytes())?;
        self.rows = rows;
        Ok(Published { row, replaced })
    }
}

/// Where a registry is looked for where no folder is named.
fn places() -> Vec<PathBuf> {
    let mut places = vec![PathBuf::from(FOLDER)];
    if let Ok(program) = env::current_exe() {
        places.extend(program.ancestors().skip(1).take(3).map(|folder| folder.join(FOLDER)));
    }
    places
}

/// Writes a file whole, its folder made if missing.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RegistryError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(StoreError::io("make", folder))?;
    Ok(write(path, bytes)?)
}
