//! Artifacts, the files of models of any kind: reading, hashing, and checking that one fits its
//! reader.

use std::{
    borrow::Cow,
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};

use super::{
    any_model::{AnyModel, LARGEST},
    error::{ArtifactError, Fault},
    linear::Linear,
    mlp::Mlp,
};
use crate::{FeatureSet, Target};
use mineflow_store::sha256;

/// The names under which trainings write their models.
const MADE: [&str; 3] = ["artifact.json", "artifact.safetensors", "alpha.safetensors"];
/// The note that names the target.
pub const TARGET: &str = "target";
/// The path given for a network in memory.
const IN_MEMORY: &str = "in-memory";
/// A magnitude above that of every feature.
const LARGEST_INPUT: f64 = 1e6;

/// A reader of artifacts, and the features that it computes.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The reader's name in messages, such as `player 5.0`.
    pub reader: &'a str,
    /// The name of the feature set.
    pub features: &'a str,
    /// What the model must predict; `None` if the feature set decides.
    pub target: Option<Target>,
    /// The number of inputs per row.
    pub width: usize,
    /// The names of the columns, which are compared with those in an XGBoost model; empty if the
    /// columns have no names.
    pub columns: &'a [&'a str],
}

impl<'a> Expected<'a> {
    /// Describes a reader of models whose inputs are rows of feature set `set`.
    pub const fn new(reader: &'a str, set: &'static FeatureSet) -> Self {
        Self {
            reader,
            features: set.name,
            target: Some(set.target),
            width: set.width(),
            columns: set.names,
        }
    }
}

impl Linear {
    /// Describes a reader of alpha.
    pub fn expected(reader: &str) -> Expected<'_> {
        Expected {
            reader,
            features: Self::FEATURES,
            target: None,
            width: Self::WIDTH,
            columns: &[],
        }
    }

    /// Reads alpha from a file for a reader.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::load`] and [`Artifact::into_alpha`].
    pub fn load(path: &Path, reader: &str) -> Result<Self, ArtifactError> {
        Artifact::load(path, &Self::expected(reader))?.into_alpha(reader)
    }
}

/// The file of a trained model: its bytes and what they hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Artifact {
    /// The path that the bytes were read from, or a name for messages.
    pub path: PathBuf,
    pub bytes: Cow<'static, [u8]>,
    /// SHA-256 of the bytes, in hexadecimal.
    pub sha256: String,
    /// The feature set that the registry or the user names; `None` if only the file may name it.
    pub said: Option<String>,
    /// The target that the registry names; `None` if only the file may name it.
    pub said_target: Option<String>,
    pub model: AnyModel,
}

impl Artifact {
    /// Parses the bytes of a file. `path` is for messages.
    ///
    /// # Errors
    /// Returns the errors of [`AnyModel::from_bytes`].
    pub fn new(path: PathBuf, bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, ArtifactError> {
        let bytes = bytes.into();
        match AnyModel::from_bytes(&bytes) {
            Ok(model) => Ok(Self {
                path,
                sha256: sha256(&bytes),
                bytes,
                said: None,
                said_target: None,
                model,
            }),
            Err(fault) => Err(ArtifactError { path, fault }),
        }
    }

    /// Returns the artifact of a network in memory, such as one that is being trained.
    pub fn in_memory(network: &Mlp) -> Self {
        let bytes = network.to_bytes();
        Self {
            path: IN_MEMORY.into(),
            sha256: sha256(&bytes),
            bytes: bytes.into(),
            said: None,
            said_target: None,
            model: AnyModel::Mlp(network.clone()),
        }
    }

    /// Reads the [file](model_file) that `path` names, for any reader.
    ///
    /// # Errors
    /// Returns the errors of [`AnyModel::from_bytes`], and an error if the file can't be read.
    pub fn read(path: &Path) -> Result<Self, ArtifactError> {
        let path = model_file(path);
        let bytes = bytes_of(&path)?;
        Self::new(path, bytes)
    }

    /// Reads a file and checks that it fits a reader.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::read`] and [`Artifact::check`].
    pub fn load(path: &Path, expected: &Expected<'_>) -> Result<Self, ArtifactError> {
        let artifact = Self::read(path)?;
        artifact.check(expected)?;
        Ok(artifact)
    }

    /// Returns the feature set that the file names, or else the one that was said.
    pub fn features(&self) -> Option<&str> {
        self.model.features().or(self.said.as_deref())
    }

    /// Returns the target that the file names, or else the one that was said. Without either, the
    /// feature set decides.
    pub fn target(&self) -> Option<&str> {
        let named = self.model.notes().get(TARGET);
        named.or(self.said_target.as_ref()).map(String::as_str)
    }

    /// Checks that the artifact fits its reader, and that the feature set that was said is the
    /// reader's too.
    ///
    /// # Errors
    /// Returns an error if the feature set, target, width or columns differ from the reader's, the
    /// model has several outputs, or its sums may exceed the largest 32-bit number for inputs up to a
    /// million, which is more than any feature: every answer to the reader is thus a number. A value
    /// model, and a model that names neither features nor target, must give probabilities if the
    /// target is one, and the latter must not give probabilities if the target is none. An XGBoost model that names no feature set is checked by the number of its columns and, if it
    /// has them, by their names.
    pub fn check(&self, expected: &Expected<'_>) -> Result<(), ArtifactError> {
        self.check_features(expected.features, expected.reader)?;
        if let Some(target) = expected.target {
            self.check_target(target, expected.reader)?;
        }
        let model = &*self.model;
        let reader = expected.reader.to_owned();
        let fault = if model.width() != expected.width {
            Fault::Width {
                found: model.width(),
                reader,
                expected: expected.width,
            }
        } else if let Some((column, (found, expected))) = model
            .columns()
            .iter()
            .zip(expected.columns)
            .enumerate()
            .find(|(_, (found, expected))| found != *expected)
        {
            Fault::Column {
                column,
                found: found.clone(),
                reader,
                expected: (*expected).to_owned(),
            }
        } else if model.outputs() != 1 {
            Fault::Outputs {
                found: model.outputs(),
                reader,
            }
        } else if model.bound(LARGEST_INPUT) > f32::MAX.into() {
            Fault::Unbounded
        } else {
            return Ok(());
        };
        Err(self.error(fault))
    }

    /// Checks that the model predicts `target`, and gives probabilities or other numbers as the
    /// target demands if nobody says what it predicts. Value models always give probabilities.
    fn check_target(&self, target: Target, reader: &str) -> Result<(), ArtifactError> {
        let gives_probabilities = self.model.gives_probabilities();
        let is_probability = matches!(target, Target::Safe | Target::Won);
        let is_said = self.target().or(self.features()).is_some();
        let found = match self.target() {
            Some(other) if other != target.name() => other,
            _ if is_said && target != Target::Won => return Ok(()),
            _ if gives_probabilities == is_probability => return Ok(()),
            _ if gives_probabilities => "probabilities",
            _ => "numbers that are not probabilities",
        };
        Err(self.error(Fault::Target {
            found: found.to_owned(),
            reader: reader.to_owned(),
            expected: target.name(),
        }))
    }

    /// Checks that neither the file nor the registry names another feature set than the one that
    /// `reader` computes or says.
    ///
    /// # Errors
    /// Returns an error that names the other feature set.
    pub fn check_features(&self, expected: &str, reader: &str) -> Result<(), ArtifactError> {
        let mut named = self
            .model
            .features()
            .into_iter()
            .chain(self.said.as_deref());
        named
            .find(|&found| found != expected)
            .map_or(Ok(()), |found| {
                Err(self.error(Fault::Features {
                    found: found.to_owned(),
                    reader: reader.to_owned(),
                    expected: expected.to_owned(),
                }))
            })
    }

    /// Returns the network.
    ///
    /// # Errors
    /// Returns an error that names `reader` if the model is of another kind.
    pub fn into_network(self, reader: &str) -> Result<Mlp, ArtifactError> {
        let network = self.model.into_network(reader);
        let path = self.path;
        network.map_err(|fault| ArtifactError { path, fault })
    }

    /// Returns alpha.
    ///
    /// # Errors
    /// Returns an error that names `reader` if the model is of another kind.
    pub fn into_alpha(self, reader: &str) -> Result<Linear, ArtifactError> {
        let alpha = self.model.into_alpha(reader);
        let path = self.path;
        alpha.map_err(|fault| ArtifactError { path, fault })
    }

    /// Returns the error of this artifact.
    fn error(&self, fault: Fault) -> ArtifactError {
        ArtifactError {
            path: self.path.clone(),
            fault,
        }
    }
}

/// Returns the file of the model that `path` names: `path` itself, or the model that a training
/// wrote to this folder or beside this `alpha.json`.
pub fn model_file(path: &Path) -> PathBuf {
    let folder = if path.ends_with("alpha.json") {
        path.with_file_name("")
    } else {
        path.to_owned()
    };
    MADE.map(|name| folder.join(name))
        .into_iter()
        .find(|file| file.is_file())
        .unwrap_or_else(|| path.to_owned())
}

/// Returns the name of a model's file for people. A file that a training named has the name of its
/// folder.
pub fn model_name(path: &Path) -> String {
    let is_made = MADE.iter().any(|name| path.ends_with(name));
    let folder = path.parent().and_then(Path::file_name);
    let name = folder.filter(|_| is_made).or(path.file_name());
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// Reads the bytes of a file that may be an artifact.
///
/// # Errors
/// Returns an error if the file can't be read. A file above the size limit is read only up to one
/// byte beyond it.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, ArtifactError> {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    match read {
        Ok(_) => Ok(bytes),
        Err(error) => Err(ArtifactError {
            path: path.to_owned(),
            fault: match path.is_dir() {
                true => Fault::Folder,
                false => Fault::Unreadable(error),
            },
        }),
    }
}
