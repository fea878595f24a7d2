//! Learning: trained models as files that are evaluated natively ([`model`]), rows to learn from (`data`, cargo feature
//! `data`) and what turns one into the other (`train`, cargo feature `train`). What a row means says a [`FeatureSet`]; no
//! game is named here.

#[cfg(feature = "data")]
pub mod data;
mod feature_set;
pub mod model;
mod symmetry;
#[cfg(feature = "train")]
pub mod train;

pub use feature_set::{Column, ColumnType, FeatureSet, Target};
pub use symmetry::Symmetry;
