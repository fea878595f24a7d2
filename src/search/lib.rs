//! Search that names no game: Monte-Carlo tree search here, stochastic constraint networks in [`scsp`].
//!
//! A game implements [`State`], its playouts [`Rollout`]. The tree, the selection rules and the budgets serve all.
//!
//! Take one to three sticks; who takes the last one wins. From five sticks the search finds that one must go:
//!
//! ```
//! use mineflow_rng::{Rng, Seed};
//! use mineflow_search::{Budget, FinalMove, Search, SearchSettings, State, Uct, UniformRollout};
//!
//! #[derive(Clone)]
//! struct Sticks { left: u32, player: usize }
//!
//! impl State for Sticks {
//!     type Move = u32;
//!     fn moves(&self, moves: &mut Vec<u32>) {
//!         moves.extend(1..=self.left.min(3));
//!     }
//!     fn play(&mut self, taken: u32, _: &mut Rng) -> u32 {
//!         self.left -= taken;
//!         self.player = 1 - self.player;
//!         0
//!     }
//!     /// The player to move at the end has lost.
//!     fn reward(&self, player: usize) -> f64 {
//!         if player == self.player { 0.0 } else { 1.0 }
//!     }
//!     fn player(&self) -> usize {
//!         self.player
//!     }
//! }
//!
//! let settings = SearchSettings {
//!     select: Uct { c: 1.0 },
//!     threshold: 0,
//!     expansion: Default::default(),
//!     final_move: FinalMove::MostPlayouts,
//!     transpositions: Default::default(),
//!     ended: Default::default(),
//! };
//! let mut search = Search::new(Sticks { left: 5, player: 0 }, UniformRollout::default(), settings, Seed::new(1));
//! search.run(Budget::playouts(2_000));
//! assert_eq!(search.final_move(), Some(1));
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod bandit;
mod budget;
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

pub use budget::{Budget, Spending};
pub use monte_carlo::{Ended, Expansion, FinalMove, Search, SearchEffort, SearchSettings, Transpositions};
pub use plan::{GamePlan, Keep, Scope, Solved, TotalEffort, solve};
pub use rollout::{Rollout, UniformRollout};
pub use select::{Logarithm, Select, SpUct, Statistics, Ucb1, Uct, ValueTerms};
pub use state::State;
pub use suggest::did_you_mean;
