//! Rules that choose the cell to open when none is proved safe.
//!
//! Each rule is a variant of [`Rule`] and a row of the table in `rule.rs`, which gives its name and
//! options. It builds a [`Chooser`], which owns everything that the rule keeps between guesses.
//! Probabilities that differ by less than [`TIE`](crate::solver::TIE) count as equal, so that no
//! choice depends on an engine's rounding.

mod candidates;
mod choice;
mod chooser;
mod closest;
mod edge;
mod learned;
mod least_mine;
mod model;
mod ranked_list;
mod roll_outs;
mod rule;
mod two_step;

pub use candidates::{CandidateChooser, Candidates};
pub use choice::Choice;
pub use chooser::{Chooser, Guess};
pub use model::{LoadedModel, ModelRef, note_inputs, predicts};
pub(super) use model::{advised, unusable};
pub(super) use rule::RULES;
pub use rule::Rule;
