//! Whether the ways to run a game agree: the propositional network leads random playouts, and in every state on the way
//! the constraint networks and the rules themselves are asked for the same: terminal, goals, legal actions, and the state
//! that follows the moves taken.

mod along;
mod constraints;
mod from_rules;
mod visit;

pub use along::{Agreement, Trouble};
pub use constraints::Networks;
