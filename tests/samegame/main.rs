//! Tests of SameGame and of searches on its boards.

#![allow(clippy::unwrap_used)]

#[path = "../files.rs"]
mod files;
mod samegame;
mod samegame_rivals;
mod search;
