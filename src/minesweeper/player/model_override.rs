//! A model that replaces the one that a recipe names.

use std::path::PathBuf;
use std::sync::Arc;

use mineflow_model::{Entry, Mlp};

/// A model to use instead of the one that a recipe names.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ModelOverride {
    /// An artifact file.
    File(PathBuf),
    /// An artifact that is registered or about to be registered.
    Registered(Arc<Entry>),
    /// A network in memory, such as one in training.
    Network(Arc<Mlp>),
}
