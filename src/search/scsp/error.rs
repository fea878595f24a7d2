//! Errors of networks.

/// Why a network is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct NetworkError(pub(super) String);
