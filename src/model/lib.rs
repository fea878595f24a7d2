#![doc = include_str!("README.md")]
//!
//! A reader states the features that it computes in [`Expected`]; an artifact for other features is
//! refused. A [`FeatureSet`] describes the columns of a row.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod activation;
mod any_model;
mod artifact;
mod error;
mod feature_set;
mod forest;
mod kind;
mod lightgbm;
mod linear;
mod metadata;
mod mlp;
mod mlp_file;
mod registry;
mod row;
mod safetensors;
mod symmetry;
mod xgboost;

pub use activation::Activation;
pub use any_model::AnyModel;
pub use artifact::{Artifact, Expected, TARGET, model_file, model_name};
pub use error::{ArtifactError, Fault};
pub use feature_set::{Column, ColumnType, FeatureSet, Target};
pub use forest::{Forest, Objective};
pub use kind::{Model, ModelScratch};
pub use linear::Linear;
pub use metadata::Metadata;
pub use mlp::{Dense, Mlp};
pub use registry::{ALPHA, Models, Registry};
pub use row::{RegistryError, Row};
pub use symmetry::Symmetry;
pub use xgboost::LEFT_OUT;
