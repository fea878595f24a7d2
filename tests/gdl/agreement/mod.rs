//! Cross-checks of the engines of a game. The propositional network runs random playouts. In each
//! state, its answers (terminal, goals, legal actions, next state) are compared with those of the
//! constraint networks and of the rules themselves.

mod along;
mod constraints;
mod from_rules;
mod visit;

pub use along::{Agreement, Trouble};
pub use constraints::Networks;
