//! One-stage stochastic constraint networks and solvers for them.
//!
//! A [`ConstraintNetwork`] has decision variables, chance variables with conditional probability
//! tables, outcome variables that decisions and chance determine, hard constraints as tables, and
//! utilities (Koriche et al. (MAC-UCB), "General Game Playing with Stochastic CSP", sections 3.1
//! and 3.3). [`ConstraintNetwork::preprocess`] simplifies a network once (section 4.1). A
//! [`NetworkSolver`] then computes, for one state after another, which decisions occur in feasible
//! policies (section 4.2). This module is independent of the game: the caller defines what
//! variables and values mean, and does the sampling (section 4.3).

mod compact_table;
mod domains;
mod error;
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
pub use network::ConstraintNetwork;
pub use preprocessing::{Filtering, NetworkSize};
pub use solver::{End, Method, NetworkSolver, Query, SolverEffort};
pub use variable::{Variable, VariableKind};
