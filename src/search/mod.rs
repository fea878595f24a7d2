//! Search that names no game: Monte-Carlo tree search here, stochastic constraint networks in [`scsp`].
//!
//! A game implements [`State`], its play-outs [`Rollout`]. The tree, the selection rules and the budgets serve all.

pub mod bandit;
mod budget;
pub mod cross_entropy;
mod monte_carlo;
pub mod options;
mod plan;
mod rollout;
pub mod scsp;
mod select;
mod state;
mod tree;
mod way;

pub use budget::{Budget, Spending};
pub use monte_carlo::{Ended, Expansion, FinalMove, Search, SearchEffort, SearchSettings, Transpositions};
pub use plan::{GamePlan, Keep, Scope, Solved, TotalEffort, solve};
pub use rollout::{Rollout, UniformRollout};
pub use select::{Logarithm, Select, SpUct, Statistics, Ucb1, Uct, ValueTerms};
pub use state::State;
