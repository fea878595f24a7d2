//! Learning: trained models as files that are evaluated natively ([`model`]), rows to learn from (`data`, cargo feature
//! `data`) and what turns one into the other (`train`, cargo feature `train`).

#[cfg(feature = "data")]
pub mod data;
pub mod model;
#[cfg(feature = "train")]
pub mod train;
