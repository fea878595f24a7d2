//! What every room above needs of the world outside.

mod suggest;

pub use suggest::nearest;
