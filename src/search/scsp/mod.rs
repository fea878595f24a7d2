//! One-stage stochastic constraint networks and solvers for them.
//!
//! A [`ConstraintNetwork`] has decision variables, chance variables, outcome variables that
//! decisions and chance determine, and hard constraints as tables (Koriche et al. (MAC-UCB),
//! "General Game Playing with Stochastic CSP", sections 3.1 and 3.3).
//! [`ConstraintNetwork::preprocess`] simplifies a network once (section 4.1). A [`NetworkSolver`]
//! then computes, for one state after another, which decisions occur in feasible policies (section
//! 4.2). This module is independent of the game: the caller defines what variables and values mean,
//! and does the sampling, from which the utilities come (section 4.3).

mod compact_table;
mod domains;
mod error;
mod forward_checking;
mod network;
mod parts;
mod preprocessing;
mod propagation;
mod search;
mod singleton;
mod solver;
mod trail;
mod variable;

pub use error::NetworkError;
pub use network::ConstraintNetwork;
pub use preprocessing::NetworkSize;
pub use solver::{Method, NetworkSolver, Query};
pub use variable::{Variable, VariableKind};
