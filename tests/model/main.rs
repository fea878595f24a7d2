//! Tests of trained models as files.

#![allow(clippy::unwrap_used)]

mod artifacts;
#[path = "../files.rs"]
mod files;
mod model;
