//! Exact reasoning over a [`View`](crate::View): which covered cells are safe, which are mines, and
//! the mine probability of each.
//!
//! ```
//! use mineflow_minesweeper::View;
//! use mineflow_minesweeper::solver::{Budget, Solver};
//!
//! // The 1 on the left has one mine among the first two covered cells. The third cell is thus the second mine of the 2.
//! let view = View::from_rows(&["121", "###"], 2).unwrap();
//! let solution = Solver::new().solve(&view, &mut Budget::unlimited()).unwrap();
//! assert_eq!(solution.layouts, 1_u32.into());
//! assert_eq!(solution.mine_probability[3..], [1.0, 0.0, 1.0]);
//! ```
//!
//! | to | use |
//! |---|---|
//! | solve one position completely, with the exact number of layouts | [`Solver`] |
//! | follow a game and ask for proofs and probabilities as it is played | [`Analysis`] |
//! | evaluate the position after a hypothetical move | [`Analysis::suppose`], [`Analysis::outlook`] |
//! | evaluate the positions after all hypothetical moves, faster | [`Children`] |
//! | follow many lines of play from a position to their ends | [`Line`] |
//! | find out whether opening a cell can give information | [`Analysis::is_dead`] |
//! | play optimally once few layouts are left | [`Analysis::endgame`], [`Analysis::endgame_cells`] |
//! | draw layouts uniformly at random | [`Layouts`] |
//! | enumerate the solutions of `A M = N` as Sinha et al. (2021) do | [`System`] with [`Backtracking`] or [`Dsscsp`], or [`enumerate_copies`] |
//! | count the solutions of each independent set as *An Artificial Intelligence Approach to Minesweeper* does | [`ForwardChecking`] |
//!
//! Every computation that may take long spends a [`Budget`].

mod analysis;
mod backtracking;
mod before;
mod budget;
mod children;
mod combination;
mod component_cache;
mod components;
mod copies;
mod counter;
mod counting;
mod dead;
mod deduction;
mod descents;
mod dss;
mod dsscsp;
mod elimination;
mod endgame;
mod enumeration;
mod error;
mod fixed;
mod forward_checking;
mod frontier;
mod layouts;
mod line;
mod living;
mod number;
mod order;
mod outlook;
mod probabilities;
mod product_tree;
mod rest;
mod solve;
mod states;
mod sweep;
mod system;
mod tree;

pub use analysis::Analysis;
pub use backtracking::Backtracking;
pub use budget::{Budget, DEFAULT_MEMORY_LIMIT, Exhausted};
pub use children::Children;
pub use copies::enumerate_copies;
pub(crate) use deduction::Mark;
pub use descents::Subset;
pub use dss::Dss;
pub use dsscsp::Dsscsp;
pub use endgame::{Endgame, EndgameCells, EndgameLimits, EndgameValue};
pub use enumeration::{Enumeration, Traversal};
pub use error::{Contradiction, CountError};
pub use forward_checking::ForwardChecking;
pub use layouts::{Drawn, Layouts};
pub use line::Line;
pub use living::LivingOutlook;
pub use outlook::Outlook;
pub use probabilities::{Probabilities, Weighting};
pub use solve::{Solution, Solver};
pub use system::System;

/// Probabilities that differ by at most this count as equal.
pub const TIE: f64 = 1e-9;
