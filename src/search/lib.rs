#![doc = include_str!("README.md")]
//!
//! A game implements [`State`], and its playout policies implement [`Rollout`]. The tree, the
//! selection rule and the budgets work for any single-player game. The module [`scsp`] contains
//! stochastic constraint networks.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

pub mod bandit;
mod budget;
mod clock;
pub mod cross_entropy;
mod descent;
mod monte_carlo;
pub mod options;
mod plan;
mod rollout;
pub mod scsp;
mod select;
mod state;
mod suggest;
mod tree;
mod version;

pub use budget::{Budget, Spending, Stop};
pub use clock::{Clock, Deadline, thread_time};
pub use monte_carlo::{Ended, Expansion, FinalMove, Search, SearchEffort, SearchSettings};
pub use plan::{GamePlan, Scope, Solved, TotalEffort, solve};
pub use rollout::{Rollout, UniformRollout};
pub use select::{Exploration, SpUct, Statistics, ValueTerms};
pub use state::State;
// These items are public only for the other crates of the workspace.
#[cfg(not(any(unix, windows)))]
#[doc(hidden)]
pub use clock::set_clock;
#[doc(hidden)]
pub use {clock::ThreadTime, suggest::did_you_mean, version::version};
