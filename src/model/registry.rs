//! The registry `models/registry.json`: the artifact of each player, by content hash.
//!
//! The file of an artifact is named `PLAYER/` and the first twelve digits of its SHA-256, and never
//! changes. Publishing another artifact adds its file, then replaces the player's row; old files
//! stay until you delete them.

use std::{
    borrow::Cow,
    collections::BTreeSet,
    env, fs, io,
    path::{Component, Path, PathBuf},
    sync::OnceLock,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    artifact::{Artifact, Expected, bytes_of},
    error::{ArtifactError, Fault},
    row::{FILE, FOLDER, FORMAT, RegistryError, Row},
};
use mineflow_store::{
    LONGEST, Lock, StoreError, read_input, refuse_other_owner, sha256, without_bom, write,
};

/// The name under which alpha is registered. No player loads this model: 6.0 and 6.5 are trained
/// with it.
pub const ALPHA: &str = "alpha";

/// The name of the built-in artifacts in messages, in place of a folder.
const BUILT_IN: &str = "built-in models";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegistryFile {
    format: u32,
    artifacts: Vec<Row>,
}

/// The artifacts of a folder, and the built-in artifacts of the players that the folder doesn't
/// name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Registry {
    /// The folder; `None` for the built-in artifacts alone.
    folder: Option<PathBuf>,
    /// The rows of the folder, ordered by player.
    rows: Vec<Row>,
    /// The built-in rows of all other players, ordered by player.
    built_in: Vec<Row>,
}

/// The registry of a models folder, which is opened once, when a model is first asked for.
#[derive(Clone, Default, Debug)]
pub struct Models {
    folder: Option<PathBuf>,
    registry: OnceLock<Registry>,
}

impl Models {
    /// Names the folder of the registry, or its default.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Self {
            folder,
            registry: OnceLock::new(),
        }
    }

    /// Returns the registry.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::open`].
    pub fn registry(&self) -> Result<&Registry, RegistryError> {
        if let Some(registry) = self.registry.get() {
            return Ok(registry);
        }
        let registry = Registry::open(self.folder.as_deref())?;
        Ok(self.registry.get_or_init(|| registry))
    }
}

impl Registry {
    /// The environment variable with the default folder.
    pub const VARIABLE: &str = "MINEFLOW_MODELS";

    /// Reads the registry of `folder`. The default is the folder that [`Registry::VARIABLE`] names.
    /// Without a default, the first of these places that has a registry is read: `models` in the current directory; `models` in the
    /// program's folder or in one of the two folders above it (such as beside `bin` or
    /// `target/release`). A `registry.json` of another program is skipped. If no place has a
    /// registry, the result is [`Registry::built_in`].
    ///
    /// # Errors
    /// Returns an error if the given or default folder has no registry, or the registry can't be
    /// read or is broken.
    pub fn open(folder: Option<&Path>) -> Result<Self, RegistryError> {
        let named = || env::var_os(Self::VARIABLE).filter(|name| !name.is_empty());
        match folder
            .map(Path::to_owned)
            .or_else(|| named().map(PathBuf::from))
        {
            Some(folder) if folder.join(FILE).exists() => Self::read(&folder),
            Some(folder) => Err(RegistryError::NotFound {
                looked: vec![folder],
            }),
            None => match places().iter().find(|place| is_ours(place)) {
                Some(place) => Self::read(place),
                None => Self::built_in(),
            },
        }
    }

    /// Reads the registry that is built into the program. Nothing can be published to it.
    ///
    /// # Errors
    /// Returns an error if the program was built with a broken registry.
    pub fn built_in() -> Result<Self, RegistryError> {
        Self::new(None, Vec::new())
    }

    /// Opens a registry for publishing. The folder is found as in [`Registry::open`], but the
    /// built-in registry is never opened. If a given or default folder has no registry, the first
    /// publication creates one.
    ///
    /// # Errors
    /// Returns an error if no folder is given, named or found, or a registry can't be read or is
    /// broken.
    pub fn open_or_new(folder: Option<&Path>) -> Result<Self, RegistryError> {
        match Self::open(folder) {
            Ok(found) if found.folder.is_none() => {
                Err(RegistryError::NotFound { looked: places() })
            }
            Err(RegistryError::NotFound { looked }) => {
                let folder = looked
                    .into_iter()
                    .next()
                    .expect("the folder that was named or chosen");
                refuse_other_owner(&folder, FOLDER)?;
                Self::new(Some(folder), Vec::new())
            }
            result => result,
        }
    }

    fn read(folder: &Path) -> Result<Self, RegistryError> {
        let path = folder.join(FILE);
        let text = read_input(&path, LONGEST)?;
        Self::new(Some(folder.to_owned()), rows_of(without_bom(&text), &path)?)
    }

    /// Adds the built-in artifacts of players that `rows` doesn't name.
    fn new(folder: Option<PathBuf>, rows: Vec<Row>) -> Result<Self, RegistryError> {
        let mut built_in = rows_of(
            mineflow_published::REGISTRY,
            &Path::new(BUILT_IN).join(FILE),
        )?;
        built_in.retain(|row| rows.iter().all(|own| own.player != row.player));
        Ok(Self {
            folder,
            rows,
            built_in,
        })
    }

    /// Returns the registry's folder, or a name for messages if the registry is built in.
    pub fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new(BUILT_IN))
    }

    /// Returns the rows of the folder, then the built-in rows of all other players; each part is
    /// ordered by player.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().chain(&self.built_in)
    }

    /// Returns the row of a player.
    pub fn row(&self, player: &str) -> Option<&Row> {
        self.rows().find(|row| row.player == player)
    }

    /// Returns the path of a row's file, or a name for messages if the artifact is built in.
    pub fn path(&self, row: &Row) -> PathBuf {
        let folder = if self.is_built_in(row) {
            Path::new(BUILT_IN)
        } else {
            self.folder()
        };
        folder.join(&row.file)
    }

    /// Returns whether the artifact of a row is part of the program, and not a file of the folder.
    pub fn is_built_in(&self, row: &Row) -> bool {
        self.built_in.contains(row)
    }

    /// Loads the artifact of a player and checks that it fits the reader.
    ///
    /// # Errors
    /// Returns the errors of [`Registry::artifact`] and [`Artifact::check`].
    pub fn load(&self, player: &str, expected: &Expected<'_>) -> Result<Artifact, RegistryError> {
        let artifact = self.artifact(player)?;
        artifact.check(expected)?;
        Ok(artifact)
    }

    /// Reads the artifact of a player without checking a reader.
    ///
    /// # Errors
    /// Returns an error if the player has no row, and the errors of [`Registry::verify`].
    pub fn artifact(&self, player: &str) -> Result<Artifact, RegistryError> {
        match self.row(player) {
            Some(row) => Ok(self.verify(row)?),
            None => Err(RegistryError::NoArtifact {
                path: self.folder().join(FILE),
                player: player.to_owned(),
            }),
        }
    }

    /// Reads the file of a row and checks its hash.
    ///
    /// # Errors
    /// Returns an error if the hash differs, and the errors of [`Artifact::read`].
    pub fn verify(&self, row: &Row) -> Result<Artifact, ArtifactError> {
        let path = self.path(row);
        let bytes: Cow<'static, [u8]> = if !self.is_built_in(row) {
            bytes_of(&path)?.into()
        } else if let Some(bytes) = mineflow_published::artifact(&row.file) {
            bytes.into()
        } else {
            let fault = Fault::Unreadable(io::ErrorKind::NotFound.into());
            return Err(ArtifactError { path, fault });
        };
        let found = sha256(&bytes);
        if found != row.sha256 {
            let expected = row.sha256.clone();
            let fault = Fault::Hash { found, expected };
            return Err(ArtifactError { path, fault });
        }
        let mut artifact = Artifact::new(path, bytes)?;
        artifact.said = Some(row.features.clone());
        artifact.said_target = row.target.clone();
        Ok(artifact)
    }

    /// Publishes an artifact under a row made of it: writes its file, then the registry, each under
    /// a temporary name until it is complete. The folder is locked and its registry read again, as
    /// another process may publish to it. It is not checked that the artifact fits the player.
    /// Returns the player's previous row in the folder, if there was one.
    ///
    /// # Errors
    /// Returns an error if a file can't be written, and an error for the built-in registry.
    pub fn publish(&mut self, row: &Row, bytes: &[u8]) -> Result<Option<Row>, RegistryError> {
        let folder = self.folder.clone().ok_or(RegistryError::BuiltIn)?;
        fs::create_dir_all(&folder).map_err(StoreError::io("make", &folder))?;
        let _lock = Lock::wait(&folder)?;
        write_whole(&folder.join(&row.file), bytes)?;
        let mut rows = match folder.join(FILE).exists() {
            true => Self::read(&folder)?.rows,
            false => Vec::new(),
        };
        let old = rows.iter().position(|old| old.player == row.player);
        let replaced = old.map(|index| rows.remove(index));
        rows.push(row.clone());
        rows.sort_by(|a, b| a.player.cmp(&b.player));
        let file = RegistryFile {
            format: FORMAT,
            artifacts: rows,
        };
        let mut text = serde_json::to_string_pretty(&file)
            .expect("strings and whole numbers can always be written");
        text.push('\n');
        write_whole(&folder.join(FILE), text.as_bytes())?;
        *self = Self::new(Some(folder), file.artifacts)?;
        Ok(replaced)
    }
}

/// Reads the rows of a registry file, ordered by player. `path` is for messages.
fn rows_of(text: &[u8], path: &Path) -> Result<Vec<Row>, RegistryError> {
    let invalid = |problem: String| RegistryError::Invalid {
        path: path.to_owned(),
        problem,
    };
    let newer = serde_json::from_slice::<Value>(text)
        .ok()
        .and_then(|value| value.get("format")?.as_u64())
        .and_then(|format| u32::try_from(format).ok())
        .filter(|&format| format > FORMAT);
    if let Some(found) = newer {
        let path = path.to_owned();
        return Err(RegistryError::NewerFormat { path, found });
    }
    let file: RegistryFile =
        serde_json::from_slice(text).map_err(|error| invalid(error.to_string()))?;
    if file.format != FORMAT {
        return Err(invalid(format!("there is no format {}", file.format)));
    }
    let mut rows = file.artifacts;
    let mut players = BTreeSet::new();
    for row in &rows {
        if !players.insert(&row.player) {
            return Err(invalid(format!("player {} has two rows", row.player)));
        }
        let mut parts = Path::new(&row.file).components();
        if !parts.all(|part| matches!(part, Component::Normal(_))) {
            return Err(invalid(format!("\"{}\" lies outside the folder", row.file)));
        }
    }
    rows.sort_by(|a, b| a.player.cmp(&b.player));
    Ok(rows)
}

/// Returns the places that are searched for a registry if no folder is given or named.
fn places() -> Vec<PathBuf> {
    let mut places = vec![PathBuf::from(FOLDER)];
    if let Ok(program) = env::current_exe() {
        let above = program.ancestors().skip(1).take(3);
        places.extend(above.map(|folder| folder.join(FOLDER)));
    }
    places
}

/// Returns whether the folder has a registry, which may be damaged: only a whole JSON text without
/// format and artifacts is one of another program.
fn is_ours(folder: &Path) -> bool {
    let path = folder.join(FILE);
    let text = read_input(&path, LONGEST).unwrap_or_default();
    let file = serde_json::from_slice::<Value>(without_bom(&text)).ok();
    let is_known = |key: &str| file.as_ref().is_none_or(|file| file.get(key).is_some());
    path.exists() && (is_known("format") || is_known("artifacts"))
}

/// Writes a complete file and creates its folder if missing.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RegistryError> {
    let folder = path.parent().unwrap_or(Path::new(""));
    fs::create_dir_all(folder).map_err(StoreError::io("make", folder))?;
    Ok(write(path, bytes)?)
}
