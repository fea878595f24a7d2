//! The propositional network: a ground form compiled to a straight-line program of AND gates. Loops
//! are repeated until nothing changes.

mod circuit;
mod compile;
mod lower;
mod machine;

pub use compile::Propnet;
pub use machine::Machine;
