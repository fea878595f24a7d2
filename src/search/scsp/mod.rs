//! One-stage stochastic constraint networks and their solving.
//!
//! A [`ConstraintNetwork`] has decision variables, chance variables with conditional probability tables, outcome variables that
//! follow from both, hard constraints as tables and utilities (Koriche and others, "General Game Playing with Stochastic
//! CSP", sections 3.1 and 3.3). [`ConstraintNetwork::preprocess`] simplifies it once (4.1); a [`NetworkSolver`] then answers for one
//! state after another which decisions some feasible policy contains (4.2), and an [`Evaluation`] what follows where
//! all that is free is given. Nothing here knows a game: what variables and values stand for is the caller's, and so is
//! sampling (4.3).

mod compact_table;
mod domains;
mod error;
mod evaluation;
mod forward_checking;
mod network;
mod parts;
mod preprocessing;
mod propagation;
mod rows;
mod search;
mod singleton;
mod solver;
mod trail;
mod value;
mod variable;

pub use error::NetworkError;
pub use evaluation::{Evaluation, Undetermined};
pub use network::ConstraintNetwork;
pub use preprocessing::{Filtering, NetworkSize};
pub use solver::{End, Method, NetworkSolver, Query, SolverEffort};
pub use variable::{Variable, VariableKind};
