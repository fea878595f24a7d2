//! Tests of trained models as files.

mod artifacts;
#[path = "../files.rs"]
mod files;
mod model;
