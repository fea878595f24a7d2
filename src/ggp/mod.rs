//! General game playing: rule sheets in GDL with the role `random` and without `sees`, from text to play-outs.
//!
//! Text becomes expressions ([`kif`]), expressions become checked Horn clauses ([`Sheet`]), these are grounded
//! ([`Grounding`]) and compiled ([`propnet::Propnet`]), or turned into constraint networks ([`scsp::StageNetwork`]).

mod check;
mod components;
mod datalog;
mod error;
mod grounding;
mod interpreter;
pub mod kif;
pub mod perft;
mod plan;
pub mod player;
pub mod propnet;
mod rules;
pub mod scsp;
mod simplify;
mod terms;

pub use error::{GroundingError, PlayError, RuleError, SheetError};
pub use grounding::{Fluent, GroundAtom, Grounding, Limits, Literal, Meaning, Sheet};
pub use interpreter::{Interpreter, Verdict};
pub use terms::{Shown, Symbol, TermId, Terms};
