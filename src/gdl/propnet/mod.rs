//! The propositional network: a ground form compiled to a straight line of ANDs over machine words, so that every bit of
//! a word is a playout of its own. Loops are repeated until nothing changes.

mod choice;
mod circuit;
mod compile;
mod lanes;
mod lower;
mod machine;
mod playout;

pub use compile::Propnet;
pub use machine::Machine;
pub use playout::{Breakdown, PlayoutEnd, PlayoutRows, PlayoutStart, Playouts};
