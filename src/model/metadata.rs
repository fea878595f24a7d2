//! Metadata of safetensors artifacts.

use std::collections::BTreeMap;

/// The format number of the safetensors files of this crate, which `docs/src/formats.md` describes.
pub(super) const FORMAT: u32 = 1;

/// The metadata of an artifact, except its kind.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Metadata {
    /// The feature set that the model reads, such as `classifier-v2`; empty if the file doesn't
    /// name it.
    pub features: String,
    /// Other notes, such as the command that made the model, the hash of its data and the seed. The
    /// keys `format`, `kind`, `features` and `activations` are reserved for the file and can't be
    /// notes.
    pub notes: BTreeMap<String, String>,
}

impl Metadata {
    /// Creates metadata with only a feature set.
    pub fn new(features: &str) -> Self {
        Self {
            features: features.to_owned(),
            notes: BTreeMap::new(),
        }
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, key: &str, value: impl ToString) -> Self {
        self.notes.insert(key.to_owned(), value.to_string());
        self
    }

    /// Reads the metadata of a file whose format and kind have been checked.
    pub(super) fn from_file(mut pairs: BTreeMap<String, String>) -> Self {
        for key in ["format", "kind", "activations"] {
            pairs.remove(key);
        }
        let features = pairs.remove("features").unwrap_or_default();
        Self {
            features,
            notes: pairs,
        }
    }

    /// Returns the metadata as stored in a file.
    pub(super) fn to_file(&self, kind: &str) -> BTreeMap<String, String> {
        let mut pairs = self.notes.clone();
        pairs.insert("format".to_owned(), FORMAT.to_string());
        pairs.insert("kind".to_owned(), kind.to_owned());
        pairs.insert("features".to_owned(), self.features.clone());
        pairs
    }
}
