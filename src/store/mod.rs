//! What every room above needs of the world outside.

mod named;
mod suggest;

pub(crate) use named::named;
pub use suggest::nearest;
