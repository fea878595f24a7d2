//! Native inference: trained models as plain files, read and evaluated with no training crate.
//!
//! Three kinds of artifact, all of them files that other programs read and write:
//!
//! | kind | file | here |
//! |---|---|---|
//! | dense network | safetensors | [`Mlp`] |
//! | boosted trees | XGBoost's JSON model | [`Forest`] |
//! | alpha of equation 10 | safetensors | [`Linear`] |
//!
//! Predictions are the same bits on every machine: no step leaves the order of a sum, a fused multiply-add or a system's
//! `exp` open. This module computes no features and plays nothing; [`Expected`] is where a reader says which features it
//! computes, and an artifact made for others is refused.
//!
//! # The safetensors files
//!
//! Numbers are little-endian and row-major. The header's `__metadata__` (all values are strings) holds
//!
//! | key | value |
//! |---|---|
//! | `format` | `1`; a file without it is read as 1 |
//! | `kind` | `mlp` or `linear` |
//! | `features` | the feature set that it reads, such as `classifier-v2` |
//! | `activations` | `mlp` alone: one of `relu`, `tanh`, `linear`, `sigmoid` a layer, separated by commas |
//! | anything else | kept as a note: the command, the hash of the data, the seed |
//!
//! and the tensors of a network of `n` inputs are
//!
//! | tensor | type | shape | |
//! |---|---|---|---|
//! | `layers.0.weight`, `layers.1.weight`, ... | F32 | (outputs, inputs) | as in PyTorch; Keras' kernels are the transpose |
//! | `layers.0.bias`, ... | F32 | (outputs) | |
//! | `input.mean`, `input.deviation` | F32 | (n) | both or neither; the network sees `(x - mean) / deviation` |
//!
//! `linear` has one tensor, `theta`, F64 or F32, shape (4): the factors of the longer side, the shorter side, the mine
//! ratio, and 1.
//!
//! Such a file from Python:
//!
//! ```python
//! import numpy as np
//! from safetensors.numpy import save_file
//! x = np.load("rows.npy").astype(np.float32)              # (rows, 9), the columns of classifier-v2
//! rng = np.random.default_rng(1)
//! tensors = {"input.mean": x.mean(0), "input.deviation": x.std(0)}
//! for i, (inputs, outputs) in enumerate([(9, 9), (9, 5), (5, 1)]):
//!     tensors[f"layers.{i}.weight"] = rng.normal(size=(outputs, inputs)).astype(np.float32)
//!     tensors[f"layers.{i}.bias"] = np.zeros(outputs, np.float32)
//! save_file(tensors, "network.safetensors", metadata={
//!     "format": "1", "kind": "mlp", "features": "classifier-v2", "activations": "relu,relu,sigmoid"})
//! ```
//!
//! # The XGBoost files
//!
//! What `booster.save_model("trees.json")` writes, with `booster.set_attr(features="classifier-v2")` before it: see
//! [`Forest`].

mod activation;
mod artifact;
mod built_in;
mod entry;
mod error;
mod forest;
mod kind;
mod linear;
mod metadata;
mod mlp;
mod mlp_file;
mod registry;
mod safetensors;
mod xgboost;

pub use crate::store::sha256;
pub use activation::Activation;
pub use artifact::{Artifact, Expected, Loaded, ModelKind, bytes_of};
pub use entry::{Entry, Publication, RegistryError, Row};
pub use error::{ArtifactError, Fault};
pub use forest::{Forest, ForestScratch, Objective};
pub use kind::{Model, ModelScratch};
pub use linear::Linear;
pub use metadata::Metadata;
pub use mlp::{Dense, Mlp, MlpScratch};
pub use registry::{ALPHA, Published, Registry};
