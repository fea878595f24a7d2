//! What a stage of a pipeline is: its settings, the context that it works in, its outcome, and its parts on several machines.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod definition;
pub mod part;
pub mod resume;
mod settings;
pub mod texts;
pub mod training_records;
pub mod values;
