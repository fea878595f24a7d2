//! Tests of training: networks, trees, alpha.

#![allow(clippy::unwrap_used)]

mod fit_alpha;
mod networks;
mod trees;
