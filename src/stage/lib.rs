//! What a stage of a pipeline is: its settings, the context that it works in, its outcome, and its parts on several machines.
//!
//! A stage is a struct of settings that the command line and pipelines read alike. Nothing here plays, trains or draws.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Only for the program.
#![doc(hidden)]

mod context;
pub mod kind;
mod model_args;
pub mod part;
pub mod resume;
mod settings;
pub mod texts;
pub mod training_records;
pub mod values;

pub use model_args::ModelArgs;

/// What a stage is and what it works in.
pub mod definition {
    pub use crate::context::{Answer, Context, Observer, Outcome, Progress, Row, Rows, Unobserved, json_lines};
    pub use crate::kind::{Arguments, Definition, Job, ReadTexts, Stage};
}
