//! General game playing: rule sheets in GDL with the role `random` and without `sees`, from text to playouts.
//!
//! Text becomes expressions ([`kif`]), expressions become checked Horn clauses ([`Sheet`]), these are grounded
//! ([`Grounding`]) and compiled ([`propnet::Propnet`]). A [`propnet::Machine`] looks at one state at a time,
//! [`propnet::Playouts`] runs random playouts by the hundred, and a [`network::GameNetwork`] is the constraint network of
//! the game. The [`Interpreter`] plays from the rules alone, to check the rest and where the ground form is too large; an
//! [`engine::GameEngine`] is either.
//!
//! ```
//! use mineflow_gdl::propnet::{Machine, Propnet};
//! use mineflow_gdl::{Grounding, GroundingLimits, Sheet};
//!
//! let sheet = Sheet::read(
//!     "(role robot) (init (light off)) (legal robot wait) (legal robot press)
//!      (<= (next (light on)) (does robot press))
//!      (<= (next (light ?state)) (true (light ?state)) (not (does robot press)))
//!      (<= terminal (true (light on)))
//!      (goal robot 100)",
//! )?;
//! let grounding = Grounding::new(&sheet, &GroundingLimits::default())?;
//! let net = Propnet::new(&grounding);
//! let mut machine = Machine::new(&net);
//! let press = machine.legal(0).last().unwrap();
//! assert_eq!(grounding.terms.show(grounding.actions[0][press]).to_string(), "press");
//! machine.step(&[press]);
//! assert!(machine.is_terminal());
//! assert_eq!(machine.goals(0), [100]);
//! # Ok::<(), mineflow_gdl::SheetError>(())
//! ```

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod agreement;
mod check;
mod components;
mod database;
mod datalog;
mod demand;
pub mod engine;
mod error;
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
mod rewrite;
mod rule_engine;
mod rules;
mod sheet;
mod simplify;
pub mod solve;
mod split;
mod state;
mod stratify;
mod terms;
mod truth;

pub use error::{GroundingError, PlayError, RuleError, SheetError};
pub use grounding::{Fluent, GroundAtom, Grounding, Literal, Meaning, UnknownRole};
pub use instances::GroundingLimits;
pub use interpreter::{Interpreter, RuleVerdict};
pub use rule_engine::{RuleEngine, RuleTable};
pub use sheet::Sheet;
pub use state::GameState;
pub use terms::{ShownTerm, Symbol, TermId, Terms};
