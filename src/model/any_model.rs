//! A model of any kind, which is recognised by the bytes of its file.

use std::ops::Deref;

use super::{
    activation::Activation,
    error::Fault,
    forest::{Forest, Objective},
    kind::Model,
    lightgbm,
    linear::{Linear, THETA},
    metadata::FORMAT,
    mlp::Mlp,
    safetensors, xgboost,
};
use mineflow_store::without_bom;

/// The size limit of a file, in bytes.
pub(super) const LARGEST: u64 = 1 << 30;
/// The reader in messages about bytes that hold another kind of model.
const READER: &str = "the reader";

/// A trained model of any kind.
#[derive(Clone, PartialEq, Debug)]
pub enum AnyModel {
    Mlp(Mlp),
    Forest(Forest),
    Linear(Linear),
}

impl Deref for AnyModel {
    type Target = dyn Model;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Mlp(network) => network,
            Self::Forest(trees) => trees,
            Self::Linear(alpha) => alpha,
        }
    }
}

impl AnyModel {
    /// Reads a model of any kind, which is recognised by its bytes, not by the file's name.
    ///
    /// # Errors
    /// Returns the first fault found. A model that is read without an error can be evaluated.
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
                text if text.starts_with(lightgbm::START) => {
                    lightgbm::from_bytes(text).map(Self::Forest)
                }
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

    /// Returns whether every output is from 0 to 1, as a probability is.
    pub fn gives_probabilities(&self) -> bool {
        match self {
            Self::Mlp(network) => {
                let last = network.layers().last();
                last.is_some_and(|layer| layer.activation == Activation::Sigmoid)
            }
            Self::Forest(trees) => trees.objective() == Objective::Logistic,
            Self::Linear(_) => true,
        }
    }

    pub(super) fn into_network(self, reader: &str) -> Result<Mlp, Fault> {
        match self {
            Self::Mlp(network) => Ok(network),
            other => Err(other.not("a network", reader)),
        }
    }

    pub(super) fn into_alpha(self, reader: &str) -> Result<Linear, Fault> {
        match self {
            Self::Linear(alpha) => Ok(alpha),
            other => Err(other.not("alpha", reader)),
        }
    }

    /// Returns the error of a reader that needs another kind of model.
    fn not(&self, expected: &'static str, reader: &str) -> Fault {
        Fault::Kind {
            found: match self {
                Self::Mlp(_) => "a network",
                Self::Forest(_) => "trees",
                Self::Linear(_) => "alpha",
            },
            reader: reader.to_owned(),
            expected,
        }
    }
}

impl Mlp {
    /// Reads a network from the bytes of a file.
    ///
    /// # Errors
    /// Returns the errors of [`AnyModel::from_bytes`], and an error for another kind of model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        AnyModel::from_bytes(bytes)?.into_network(READER)
    }
}
