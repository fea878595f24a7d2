//! The parts of the report, each from what was read.

mod curves;
mod standard_board;
mod times;

pub(crate) use curves::{all_versions, csp_versions};
pub(crate) use standard_board::standard_board;
pub(crate) use times::times;

/// The versions of the main paper's table 3.
const VERSIONS: [&str; 11] = ["1.0", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0", "5.5", "6.0", "6.5"];

/// What a section says where its games are missing.
const NO_EXPERIMENT: &str =
    "Nothing to show yet: the games of section 5.3 are missing, or their players share no mine ratio.";
