//! The report: the papers' figures and tables beside what was measured here, as one self-contained HTML page and as Markdown.
//!
//! Each section is described by a file of `text/`: prose, tables, figures and claims, as `description.rs` has them. Views make the rows
//! that these show of tables and training records; nothing is played. The same files give the same bytes.
//!
//! A figure of rows that a view gives is a fence of TOML; other rows are a function of `views/` and a line there.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]
// Only for the program.
#![doc(hidden)]

mod appearance;
mod build;
mod chart;
mod claim;
mod data;
mod description;
mod error;
mod escape;
mod figure;
mod files;
mod folders;
mod games;
mod html;
mod inputs;
mod load;
mod markdown;
mod page;
mod played;
mod row;
mod section;
mod settings;
mod sources;
mod summary;
mod template;
mod verdict;
mod versions;
mod views;

pub use build::{File, build};
pub use error::ReportError;
pub use folders::{inputs_in, inputs_of, is_stage, write};
pub use inputs::{Inputs, NamedPlayer, PlayerModel, Training};
pub use settings::Report;
