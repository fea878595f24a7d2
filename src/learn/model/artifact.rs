//! Artifact files of any kind: reading, hashing, and whether one fits its reader.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::error::{ArtifactError, Fault};
use super::forest::Forest;
use super::linear::Linear;
use super::mlp::Mlp;
use super::{safetensors, xgboost};
use crate::learn::FeatureSet;

/// Format number of our safetensors files; see the module's documentation.
const FORMAT: u32 = 1;

/// Largest file that is read, in bytes.
const LARGEST: u64 = 1 << 30;

/// What a safetensors artifact says of itself besides its kind.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Metadata {
    /// The feature set that it reads, such as `classifier-v2`.
    pub features: String,
    /// Anything else: the command that made it, the hash of its data, the seed. The keys `format`, `kind`, `features`
    /// and `activations` are the file's own and can't be notes.
    pub notes: BTreeMap<String, String>,
}

impl Metadata {
    /// Metadata that name a feature set and nothing else.
    pub fn new(features: &str) -> Self {
        Self { features: features.to_owned(), notes: BTreeMap::new() }
    }

    /// The same with one more note.
    #[must_use]
    pub fn note(mut self, key: &str, value: impl ToString) -> Self {
        self.notes.insert(key.to_owned(), value.to_string());
        self
    }

    /// Takes the metadata of a file of this kind apart, once its format and kind are known to be right.
    pub(super) fn from_file(mut pairs: BTreeMap<String, String>, activations: bool) -> Result<Self, Fault> {
        pairs.remove("format");
        pairs.remove("kind");
        if activations {
            pairs.remove("activations");
        }
        let features = pairs.remove("features").ok_or(Fault::MetadataMissing("features"))?;
        Ok(Self { features, notes: pairs })
    }

    /// What goes into the file.
    pub(super) fn to_file(&self, kind: &str) -> BTreeMap<String, String> {
        let mut pairs = self.notes.clone();
        pairs.insert("format".to_owned(), FORMAT.to_string());
        pairs.insert("kind".to_owned(), kind.to_owned());
        pairs.insert("features".to_owned(), self.features.clone());
        pairs
    }
}

/// Who is to use an artifact, and what it computes for it.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// As it stands in messages: `player 5.0`.
    pub reader: &'a str,
    /// The name of the feature set.
    pub features: &'a str,
    /// Numbers a row.
    pub width: usize,
    /// The columns' names, held against those in an XGBoost model; empty if they have none.
    pub columns: &'a [&'a str],
}

impl<'a> Expected<'a> {
    /// A model that reads rows of `set`.
    pub const fn new(reader: &'a str, set: &'static FeatureSet) -> Self {
        Self { reader, features: set.name, width: set.width(), columns: set.names }
    }
}

/// A trained model.
#[derive(Clone, PartialEq, Debug)]
pub enum Artifact {
    Mlp(Mlp),
    Forest(Forest),
    Linear(Linear),
}

/// An artifact with the hash of the file that it was read from.
#[derive(Clone, PartialEq, Debug)]
pub struct Loaded {
    pub artifact: Artifact,
    /// Of the file's bytes, in hexadecimal.
    pub sha256: String,
}

impl Artifact {
    /// Reads an artifact of any kind; what kind, the bytes tell and not the file's name.
    ///
    /// # Errors
    /// The first thing that is wrong. A file that is read without an error can be evaluated.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        if bytes.len() as u64 > LARGEST {
            return Err(Fault::TooLarge { bytes: bytes.len() as u64, limit: LARGEST });
        }
        if !safetensors::looks_like(bytes) {
            return match bytes.trim_ascii_start() {
                [b'{', b'L', 0, ..] => Err(Fault::BinaryXgboost),
                [b'{', ..] => xgboost::from_bytes(bytes).map(Self::Forest),
                _ => Err(Fault::Unrecognised),
            };
        }
        let container = safetensors::Container::from_bytes(bytes)?;
        if let Some(text) = container.metadata.get("format") {
            let bad = || Fault::Metadata { key: "format", found: text.clone(), expected: "a format number" };
            let found: u32 = text.parse().map_err(|_| bad())?;
            match found {
                FORMAT => {}
                0 => return Err(bad()),
                _ => return Err(Fault::NewerFormat { found, known: FORMAT }),
            }
        }
        let kind = container.metadata.get("kind").ok_or(Fault::MetadataMissing("kind"))?;
        match kind.as_str() {
            Mlp::KIND => Mlp::from_container(container).map(Self::Mlp),
            Linear::KIND => Linear::from_container(container).map(Self::Linear),
            _ => Err(Fault::Metadata { key: "kind", found: kind.clone(), expected: "one of mlp, linear" }),
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// As [`Artifact::from_bytes`], or a file that can't be read.
    pub fn read(path: &Path) -> Result<Loaded, ArtifactError> {
        let bytes = bytes_of(path)?;
        let artifact = Self::from_bytes(&bytes).map_err(|fault| ArtifactError { path: path.to_owned(), fault })?;
        Ok(Loaded { artifact, sha256: sha256(&bytes) })
    }

    /// Reads a file for a reader.
    ///
    /// # Errors
    /// As [`Artifact::read`] and [`Artifact::check`].
    pub fn load(path: &Path, expected: &Expected) -> Result<Loaded, ArtifactError> {
        let loaded = Self::read(path)?;
        loaded.artifact.check(expected).map_err(|fault| ArtifactError { path: path.to_owned(), fault })?;
        Ok(loaded)
    }

    /// Whether the artifact fits its reader.
    ///
    /// # Errors
    /// Another feature set, another width, other columns, several outputs. An XGBoost model that names no feature set is
    /// judged by its columns' names where it has them, and by their number.
    pub fn check(&self, expected: &Expected) -> Result<(), Fault> {
        let reader = expected.reader.to_owned();
        if let Some(features) = self.features().filter(|&features| features != expected.features) {
            return Err(Fault::Features { found: features.to_owned(), reader, expected: expected.features.to_owned() });
        }
        if self.width() != expected.width {
            return Err(Fault::Width { found: self.width(), reader, expected: expected.width });
        }
        if let Self::Forest(forest) = self {
            let differing = forest.columns().iter().zip(expected.columns).position(|(found, name)| found != name);
            if let Some(column) = differing {
                let (found, expected) = (forest.columns()[column].clone(), expected.columns[column].to_owned());
                return Err(Fault::Column { column, found, reader, expected });
            }
        }
        match self.outputs() {
            1 => Ok(()),
            found => Err(Fault::Outputs { found, reader }),
        }
    }

    /// What it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Mlp(_) => "a network",
            Self::Forest(_) => "trees",
            Self::Linear(_) => "alpha",
        }
    }

    /// The feature set that it says it reads; an XGBoost model need not say.
    pub fn features(&self) -> Option<&str> {
        match self {
            Self::Mlp(mlp) => Some(&mlp.metadata().features),
            Self::Forest(forest) => forest.features(),
            Self::Linear(linear) => Some(&linear.metadata().features),
        }
    }

    /// What else it says of itself.
    pub fn notes(&self) -> &BTreeMap<String, String> {
        match self {
            Self::Mlp(mlp) => &mlp.metadata().notes,
            Self::Forest(forest) => forest.notes(),
            Self::Linear(linear) => &linear.metadata().notes,
        }
    }

    /// Numbers a row.
    pub fn width(&self) -> usize {
        match self {
            Self::Mlp(mlp) => mlp.inputs(),
            Self::Forest(forest) => forest.width(),
            Self::Linear(_) => Linear::WIDTH,
        }
    }

    /// Numbers that it gives for a row.
    pub fn outputs(&self) -> usize {
        match self {
            Self::Mlp(mlp) => mlp.outputs(),
            Self::Forest(_) | Self::Linear(_) => 1,
        }
    }

    /// How files of its kind end.
    pub fn extension(&self) -> &'static str {
        match self {
            Self::Mlp(_) | Self::Linear(_) => "safetensors",
            Self::Forest(_) => "json",
        }
    }
}

/// The bytes of a file that may be an artifact.
///
/// # Errors
/// A file that can't be read. One that is too large is read no further than that is sure.
pub fn bytes_of(path: &Path) -> Result<Vec<u8>, ArtifactError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    read().map_err(|error| ArtifactError { path: path.to_owned(), fault: Fault::Unreadable(error) })
}

/// SHA-256 in hexadecimal, 64 digits: how artifacts are named.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
