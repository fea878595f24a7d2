//! The report: the paper's figures and table 4 beside what was measured here, as one self-contained HTML page and as Markdown.
//!
//! Reads tables and training records and plays nothing: whatever a page says about its data is computed from them when it is written.
//! The same files give the same bytes.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod appearance;
mod build;
mod error;
mod experiment;
mod folders;
mod inputs;

mod papers;
mod read;
mod sections;
mod settings;
mod sources;
mod summary;

pub use build::{File, build};
pub use error::ReportError;
pub use folders::{inputs_in, inputs_of, is_stage, write};
pub use inputs::{Inputs, NamedPlayer, Other, PlayerModel, Training};
pub use settings::Report;
