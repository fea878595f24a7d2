//! Tests of SameGame and of searches on its boards.

#[path = "../files.rs"]
mod files;
mod samegame;
mod samegame_rivals;
mod search;
