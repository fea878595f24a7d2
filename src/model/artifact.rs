//! Artifact files of any kind: reading, hashing, and checking that one fits its reader.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::error::{ArtifactError, Fault};
use super::forest::Forest;
use super::kind::Model;
use super::linear::{Linear, THETA};
use super::metadata::FORMAT;
use super::mlp::Mlp;
use super::{safetensors, xgboost};
use crate::FeatureSet;
use mineflow_store::{sha256, without_bom};

/// The size limit of a file, in bytes.
const LARGEST: u64 = 1 << 30;
/// The names under which trainings write their models.
const MADE: [&str; 3] = ["artifact.json", "artifact.safetensors", "alpha.safetensors"];
/// A magnitude above that of every feature.
const LARGEST_INPUT: f64 = 1e6;

/// A reader of artifacts, and the features that it computes.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// The reader's name in messages, such as `player 5.0`.
    pub reader: &'a str,
    /// The name of the feature set.
    pub features: &'a str,
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
            width: Self::WIDTH,
            columns: &[],
        }
    }

    /// Reads alpha from a file for a reader.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::load_kind`].
    pub fn load(path: &Path, reader: &str) -> Result<Self, ArtifactError> {
        Ok(Artifact::load_kind(path, &Self::expected(reader))?.0)
    }
}

/// A kind of model that an artifact may contain.
pub trait ModelKind: Model + Sized {
    /// The kind's name for messages.
    const NAME: &'static str;

    /// Returns the model if the artifact is of this kind.
    ///
    /// # Errors
    /// Returns the artifact unchanged if it holds another kind of model.
    fn of(artifact: Artifact) -> Result<Self, Box<Artifact>>;
}

macro_rules! kinds {
    ($($kind:ident: $name:literal),*) => {
        /// A trained model of any kind.
        #[derive(Clone, PartialEq, Debug)]
        pub enum Artifact {
            $($kind($kind)),*
        }

        impl Artifact {
            /// Returns the name of the kind for messages.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Self::$kind(_) => $kind::NAME),*
                }
            }

            /// Returns the model, whatever its kind.
            pub fn model(&self) -> &dyn Model {
                match self {
                    $(Self::$kind(model) => model),*
                }
            }
        }

        $(impl ModelKind for $kind {
            const NAME: &'static str = $name;

            fn of(artifact: Artifact) -> Result<Self, Box<Artifact>> {
                match artifact {
                    Artifact::$kind(model) => Ok(model),
                    other => Err(Box::new(other)),
                }
            }
        }

        impl $kind {
            /// Reads a model of this kind from the bytes of a file.
            ///
            /// # Errors
            /// Returns the errors of [`Artifact::from_bytes`], and an error for an artifact of
            /// another kind.
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
                Artifact::from_bytes(bytes)?.into_kind("the reader")
            }
        })*
    };
}

kinds!(Mlp: "a network", Forest: "trees", Linear: "alpha");

/// An artifact with the hash of the file that it was read from.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    pub artifact: Artifact,
    /// SHA-256 of the file's bytes, in hexadecimal.
    pub sha256: String,
}

impl Artifact {
    /// Reads an artifact of any kind, which is recognised by its bytes, not by the file's name.
    ///
    /// # Errors
    /// Returns the first fault found. A file that is read without an error can be evaluated.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        if bytes.len() as u64 > LARGEST {
            return Err(Fault::TooLarge {
                bytes: bytes.len() as u64,
                limit: LARGEST,
            });
        }
        if !safetensors::looks_like(bytes) {
            return match without_bom(bytes).trim_ascii_start() {
                [b'{', b'L', 0, ..] => Err(Fault::BinaryXgboost),
                [b'{', ..] => xgboost::from_bytes(without_bom(bytes)).map(Self::Forest),
                _ => Err(Fault::Unrecognised),
            };
        }
        let container = safetensors::Container::from_bytes(bytes)?;
        // If `format` is a word instead of a number, it names the framework that wrote the tensors,
        // such as `pt` for PyTorch.
        if let Some(found) = container
            .metadata
            .get("format")
            .and_then(|text| text.parse().ok())
            && found != FORMAT
        {
            return Err(Fault::NewerFormat {
                found,
                known: FORMAT,
            });
        }
        let kind = match container.metadata.get("kind") {
            Some(kind) => kind.as_str(),
            None if container.has(THETA) => Linear::KIND,
            None => Mlp::KIND,
        };
        match kind {
            Mlp::KIND => Mlp::from_container(container).map(Self::Mlp),
            Linear::KIND => Linear::from_container(container).map(Self::Linear),
            _ => Err(Fault::Metadata {
                key: "kind",
                found: kind.to_owned(),
                expected: "one of mlp, linear",
            }),
        }
    }

    /// Reads the [file](model_file) that `path` names, for any reader.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::from_bytes`], and an error if the file can't be read.
    pub fn read(path: &Path) -> Result<Loaded, ArtifactError> {
        let path = model_file(path);
        let bytes = bytes_of(&path)?;
        let artifact = Self::from_bytes(&bytes).map_err(|fault| ArtifactError { path, fault })?;
        Ok(Loaded {
            artifact,
            sha256: sha256(&bytes),
        })
    }

    /// Reads a file and checks that it fits a reader.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::read`] and [`Artifact::check`].
    pub fn load(path: &Path, expected: &Expected) -> Result<Loaded, ArtifactError> {
        let loaded = Self::read(path)?;
        let path = model_file(path);
        let checked = loaded.artifact.check(expected);
        checked.map_err(|fault| ArtifactError { path, fault })?;
        Ok(loaded)
    }

    /// Checks that the artifact fits its reader.
    ///
    /// # Errors
    /// Returns an error if the feature set, width or columns differ from the reader's, the model
    /// has several outputs, or its sums may exceed the largest 32-bit number for inputs up to a
    /// million, which is more than any feature: every answer to the reader is thus a number. An
    /// XGBoost model that names no feature set is checked by the number of its columns and, if it
    /// has them, by their names.
    pub fn check(&self, expected: &Expected) -> Result<(), Fault> {
        self.check_said(expected, None)
    }

    /// Checks that the artifact fits its reader, and that a registry says the same feature set if
    /// it says one.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::check`].
    pub fn check_said(&self, expected: &Expected, said: Option<&str>) -> Result<(), Fault> {
        let model = self.model();
        let reader = expected.reader.to_owned();
        let mut named = model.features().into_iter().chain(said);
        if let Some(features) = named.find(|&features| features != expected.features) {
            return Err(Fault::Features {
                found: features.to_owned(),
                reader,
                expected: expected.features.to_owned(),
            });
        }
        if model.width() != expected.width {
            return Err(Fault::Width {
                found: model.width(),
                reader,
                expected: expected.width,
            });
        }
        if let Some(column) = model
            .columns()
            .iter()
            .zip(expected.columns)
            .position(|(found, name)| found != name)
        {
            let found = model.columns()[column].clone();
            let expected = expected.columns[column].to_owned();
            return Err(Fault::Column {
                column,
                found,
                reader,
                expected,
            });
        }
        match model.outputs() {
            1 if model.bound(LARGEST_INPUT) > f32::MAX.into() => Err(Fault::Unbounded),
            1 => Ok(()),
            found => Err(Fault::Outputs { found, reader }),
        }
    }

    /// Returns the model if it is of this kind.
    ///
    /// # Errors
    /// Returns an error that names `reader` if it can't use this kind of model.
    pub fn into_kind<M: ModelKind>(self, reader: &str) -> Result<M, Fault> {
        M::of(self).map_err(|other| Fault::Kind {
            found: other.kind(),
            reader: reader.to_owned(),
            expected: M::NAME,
        })
    }

    /// Reads a model of one kind for a reader; returns it with the file's SHA-256 in hexadecimal.
    ///
    /// # Errors
    /// Returns the errors of [`Artifact::load`], and an error for a model of another kind.
    pub fn load_kind<M: ModelKind>(
        path: &Path,
        expected: &Expected,
    ) -> Result<(M, String), ArtifactError> {
        let Loaded { artifact, sha256 } = Self::load(path, expected)?;
        let model = artifact.into_kind(expected.reader);
        let path = model_file(path);
        let model = model.map_err(|fault| ArtifactError { path, fault })?;
        Ok((model, sha256))
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
    let made = MADE.map(|name| folder.join(name));
    made.into_iter()
        .find(|file| file.is_file())
        .unwrap_or_else(|| path.to_owned())
}

/// Reads the bytes of a file that may be an artifact.
///
/// # Errors
/// Returns an error if the file can't be read. A file above the size limit is read only up to one
/// byte beyond it.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, ArtifactError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?
            .take(LARGEST + 1)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| ArtifactError {
        path: path.to_owned(),
        fault: match path.is_dir() {
            true => Fault::Folder,
            false => Fault::Unreadable(error),
        },
    })
}
