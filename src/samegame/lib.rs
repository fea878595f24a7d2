#![doc = include_str!("README.md")]
//!
//! [`Policy`] lists the playout policies, and [`Algorithm`] lists the searches. A custom policy
//! implements [`Rollout`](mineflow_search::Rollout) for [`Position`]; every tree search accepts
//! such a policy. The following policy always removes the largest group:
//!
//! ```
//! use mineflow_rng::{Rng, Seed};
//! use mineflow_samegame::{Move, Position, Puzzle};
//! use mineflow_search::{Budget, Rollout, Search, SearchSettings};
//!
//! #[derive(Clone)]
//! struct Largest;
//!
//! impl Rollout<Position> for Largest {
//!     fn playout(&mut self, position: &mut Position, line: &mut Vec<Move>, _: &mut Rng) {
//!         let mut groups = Vec::new();
//!         loop {
//!             groups.clear();
//!             position.board.groups(&mut groups);
//!             let Some(largest) = groups.iter().max_by_key(|group| group.size) else { return };
//!             position.remove(largest.name).expect("it was listed");
//!             line.push(largest.name);
//!         }
//!     }
//! }
//!
//! let root = Position::new(Puzzle::random(6, 6, 3, Seed::new(1))?.board());
//! let mut search = Search::new(root, Largest, SearchSettings::default(), Seed::new(1));
//! search.run(Budget::playouts(100));
//! let (line, reward) = search.best().expect("a board has a line");
//! let mut end = root;
//! end.replay(line).expect("the line can be played");
//! assert_eq!(f64::from(end.score()), reward);
//! # Ok::<(), mineflow_samegame::PuzzleError>(())
//! ```
//!
//! A policy that users can select by an option also needs a variant of [`Policy`], a name in
//! `sp_mcts.rs` and a rule in `playout.rs`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod algorithm;
mod bits;
mod board;
mod found;
mod greedy;
mod groups;
mod nrpa;
mod playout;
mod position;
mod puzzle;
mod rules;
mod shape;
mod sp_mcts;
mod test_set;

pub use algorithm::{Algorithm, REVISION};
pub use board::Board;
pub use found::FinishedGame;
pub use greedy::Greedy;
pub use nrpa::Nrpa;
pub use playout::{Policy, Strategy};
pub use position::Position;
pub use puzzle::{Puzzle, PuzzleError};
pub use rules::{CLEARED, COLOURS, Group, Move, points};
pub use shape::{Large, Shape, Small};
pub use sp_mcts::SpMcts;
pub use test_set::{ScoredLine, TestSet, TestSetError};
