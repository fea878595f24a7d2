//! Another model than the one that a recipe names.

use std::path::PathBuf;
use std::sync::Arc;

use mineflow_model::{Entry, Mlp};

/// A model to play with instead of the one that a recipe names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ModelOverride {
    /// An artifact file.
    File(PathBuf),
    /// What a registry has, or is to have.
    Registered(Arc<Entry>),
    /// A network in memory, such as one in training.
    Network(Arc<Mlp>),
}
