#![doc = include_str!("README.md")]
//!
//! Text is parsed to expressions ([`kif`]) and to checked Horn clauses ([`Sheet`]), which are
//! grounded ([`Grounding`]) and compiled ([`propnet::Propnet`]). A [`propnet::Machine`] evaluates
//! one state at a time. A [`network::GameNetwork`] is the constraint network of the game. The
//! [`Interpreter`] plays from the rules alone. It serves to check the other engines, and replaces
//! them if the ground form is too large. [`engine::GameEngine`] is the common interface of the
//! engines. [`ExactValues`] are the values of all states of a small game.
//!

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod check;
mod components;
mod database;
mod datalog;
pub mod engine;
mod error;
mod exact;
mod grounding;
mod index;
mod instances;
mod interpreter;
mod join;
pub mod kif;
pub mod network;
mod numbering;
pub mod perft;
mod plan;
pub mod player;
pub mod propnet;
mod rule_engine;
mod rules;
mod sheet;
mod simplify;
mod split;
mod state;
mod stratify;
mod terms;
mod truth;

pub use error::{GroundingError, PlayError, RuleError, SheetError};
pub use exact::ExactValues;
pub use grounding::{Fluent, GroundAtom, Grounding, Literal, Meaning, UnknownRole};
pub use instances::GroundingLimits;
pub use interpreter::Interpreter;
pub use rule_engine::{RuleEngine, RuleTable};
pub use sheet::Sheet;
pub use state::GameState;
pub use terms::{ShownTerm, Symbol, TermId, Terms};
