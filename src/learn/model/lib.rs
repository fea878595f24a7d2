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
//! The layout of the files, with scripts that write them from Python, follows.
//! What a row means says a [`FeatureSet`]. The layout of the files is in the README of `models/`.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod activation;
mod artifact;
mod entry;
mod error;
mod feature_set;
mod forest;
mod kind;
mod linear;
mod metadata;
mod mlp;
mod mlp_file;
mod registry;
mod safetensors;
mod symmetry;
mod xgboost;

pub use activation::Activation;
pub use artifact::{Artifact, Expected, Loaded, ModelKind, bytes_of};
pub use entry::{Entry, Publication, RegistryError, Row};
pub use error::{ArtifactError, Fault};
pub use feature_set::{Column, ColumnType, FeatureSet, Target};
pub use forest::{Forest, ForestScratch, Objective};
pub use kind::{Model, ModelScratch};
pub use linear::Linear;
pub use metadata::Metadata;
pub use mineflow_store::sha256;
pub use mlp::{Dense, Mlp, MlpScratch};
pub use registry::{ALPHA, Published, Registry};
pub use symmetry::Symmetry;
