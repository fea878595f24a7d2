//! The propositional network: a ground form compiled to a straight-line program of AND gates over
//! machine words. Each bit of a word belongs to one playout. Loops are repeated until nothing
//! changes.

mod circuit;
mod compile;
mod lanes;
mod lower;
mod machine;
mod playout;

pub use compile::Propnet;
pub use machine::Machine;
pub use playout::{PlayoutEnd, Playouts};
