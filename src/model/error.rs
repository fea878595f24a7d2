//! The errors of artifacts.

use std::{error::Error, fmt, io, path::PathBuf};

/// The error of a file that can't be used as an artifact.
#[derive(Debug)]
pub struct ArtifactError {
    pub path: PathBuf,
    pub fault: Fault,
}

impl fmt::Display for ArtifactError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path.display(), self.fault)
    }
}

impl Error for ArtifactError {
    /// Returns the cause of the fault, not the fault itself, because the message already contains
    /// the fault.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.fault.source()
    }
}

impl ArtifactError {
    /// Returns a hint for the user on how to fix the error.
    pub fn help(&self) -> &'static str {
        self.fault.help()
    }
}

/// The reason why bytes are not a usable artifact. The message continues a sentence that starts
/// with the file's name.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    #[error("can't be read")]
    Unreadable(#[source] io::Error),
    #[error(
        "is a folder without artifact.json, artifact.safetensors and alpha.safetensors, the models of trainings"
    )]
    Folder,
    #[error("has {bytes} bytes, more than the {limit} that an artifact may have")]
    TooLarge { bytes: u64, limit: u64 },
    #[error("is neither a safetensors file nor a model of XGBoost (JSON) or LightGBM (text)")]
    Unrecognised,
    #[error("is an XGBoost model in binary form (UBJSON)")]
    BinaryXgboost,
    #[error("is cut off: its header says {needed} bytes, the file has {found}")]
    Truncated { needed: u64, found: u64 },
    #[error("has bytes after its end: its header says {needed} bytes, the file has {found}")]
    TrailingBytes { needed: u64, found: u64 },
    #[error("has a broken header: {0}")]
    Header(String),
    #[error("is not a whole JSON text: {0}")]
    Json(String),
    #[error("is JSON, but not what XGBoost's save_model writes: {0}")]
    NotXgboost(String),
    #[error("is of format {found}; this program reads format {known}")]
    NewerFormat { found: u32, known: u32 },
    #[error("says `{key}` is \"{found}\", which is not {expected}")]
    Metadata {
        key: &'static str,
        found: String,
        expected: &'static str,
    },
    #[error("doesn't say `{0}` in its metadata")]
    MetadataMissing(&'static str),
    #[error("has no tensor `{0}`")]
    TensorMissing(String),
    #[error(
        "may answer with NaN or infinity, as its weights are so large that their sums overflow"
    )]
    Unbounded,
    #[error("has a tensor `{0}` that no part of the model reads")]
    TensorUnknown(String),
    #[error("has tensor `{tensor}` of type {found}; it must be {expected}")]
    ElementType {
        tensor: String,
        found: String,
        expected: &'static str,
    },
    #[error("has tensor `{tensor}` of shape {found:?}; it must be {expected}")]
    Shape {
        tensor: String,
        found: Vec<usize>,
        expected: String,
    },
    #[error("has {value} at index {index} of `{tensor}`, where only finite numbers may stand")]
    NotFinite {
        tensor: String,
        index: usize,
        value: f64,
    },
    #[error("has {value} at index {index} of `input.deviation`; a deviation is greater than 0")]
    Deviation { index: usize, value: f32 },
    #[error(
        "has layers that don't join: layer {layer} takes {takes} inputs, what stands before it gives {given}"
    )]
    LayersDontJoin {
        layer: usize,
        takes: usize,
        given: usize,
    },
    #[error("has {layers} layers and names {activations} activations")]
    Activations { layers: usize, activations: usize },
    #[error("reads features \"{found}\", {reader} computes \"{expected}\"")]
    Features {
        found: String,
        reader: String,
        expected: String,
    },
    #[error("predicts {found}, {reader} takes models that predict {expected}")]
    Target {
        found: String,
        reader: String,
        expected: &'static str,
    },
    #[error("reads rows of {found} numbers, {reader} computes {expected}")]
    Width {
        found: usize,
        reader: String,
        expected: usize,
    },
    #[error("reads \"{found}\" as its column {column}, {reader} computes \"{expected}\" there")]
    Column {
        column: usize,
        found: String,
        reader: String,
        expected: String,
    },
    #[error("gives {found} numbers a row, {reader} needs 1")]
    Outputs { found: usize, reader: String },
    #[error("holds {found}, {reader} needs {expected}")]
    Kind {
        found: &'static str,
        reader: String,
        expected: &'static str,
    },
    #[error("has {what}, which this program doesn't evaluate")]
    Unsupported { what: String },
    #[error("has `{field}` {problem}")]
    Field { field: String, problem: String },
    #[error("has tree {tree} with node {node} {problem}")]
    Tree {
        tree: usize,
        node: usize,
        problem: String,
    },
    #[error("has sha256 {found}, the registry says {expected}")]
    Hash { found: String, expected: String },
}

impl Fault {
    /// Returns a hint for the user on how to fix the fault.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unreadable(_) => "check the name and the rights of the file",
            Self::Folder => "name the folder of a finished training, or the file of a model",
            Self::Unrecognised | Self::TooLarge { .. } => {
                "networks and alpha are safetensors files, trees what XGBoost's save_model(\"name.json\") or LightGBM's save_model(\"name.txt\") writes"
            }
            Self::NotXgboost(_) => {
                "give what booster.save_model(\"trees.json\") wrote, or a safetensors file; docs/src/formats.md describes both"
            }
            Self::BinaryXgboost => "save it as text: booster.save_model(\"trees.json\")",
            Self::Truncated { .. }
            | Self::TrailingBytes { .. }
            | Self::Header(_)
            | Self::Json(_) => "the file was damaged or only partly copied: copy or make it again",
            Self::NewerFormat { .. } => {
                "use the version of this program that made it, or a newer one"
            }
            Self::Features { .. } | Self::Width { .. } | Self::Column { .. } => {
                "train a model on the features that are computed, or name a player that computes the model's"
            }
            Self::Target { .. } => {
                "`safe` and `won` are probabilities, `return` and `gain` are not; docs/src/formats.md says how a file names its `target`"
            }
            Self::NotFinite { .. } | Self::Deviation { .. } | Self::Unbounded => {
                "training ran away or a column never varied; a constant column has deviation 1"
            }
            Self::Unsupported { .. } => {
                "train with numeric features, one output and, in XGBoost, booster gbtree and objective binary:logistic, reg:logistic or reg:squarederror; in LightGBM, boosting gbdt and objective binary or regression"
            }
            Self::Hash { .. } => {
                "the file was changed after it was published: restore it, or import it as a new one"
            }
            Self::Kind { .. } | Self::Outputs { .. } => {
                "`pipeline models show FILE` says what a file holds"
            }
            _ => "docs/src/formats.md describes the layout of artifacts",
        }
    }
}

/// Returns an error for the first number that is not finite.
pub(super) fn check_finite<T: Copy + Into<f64>>(tensor: &str, values: &[T]) -> Result<(), Fault> {
    match values.iter().position(|&value| !value.into().is_finite()) {
        None => Ok(()),
        Some(index) => Err(Fault::NotFinite {
            tensor: tensor.to_owned(),
            index,
            value: values[index].into(),
        }),
    }
}
