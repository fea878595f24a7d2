//! Tests of training: networks, trees, alpha.

mod fit_alpha;
mod networks;
mod trees;
