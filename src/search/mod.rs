//! Monte-Carlo tree search that names no game.
//!
//! A game implements [`State`], its play-outs [`Rollout`]. The tree, the selection rules and the budgets serve all.

mod rollout;
mod state;

pub use rollout::{Rollout, UniformRollout};
pub use state::State;
