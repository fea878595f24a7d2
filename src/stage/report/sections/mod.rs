//! The parts of the report, each from what was read.

mod alpha;
mod calibration;
mod curves;
mod ggp;
mod others;
mod samegame;
mod shape;
mod standard_board;
mod times;
mod training;
mod versions;

pub(crate) use alpha::alpha;
pub(crate) use calibration::{CalibrationTables, calibration};
pub(crate) use curves::{all_versions, csp_versions};
pub(crate) use ggp::rule_sheets;
pub(crate) use others::games;
pub(crate) use samegame::samegame;
pub(crate) use shape::{number_of_cells, ratio_of_sides};
pub(crate) use standard_board::standard_board;
pub(crate) use times::times;
pub(crate) use training::{networks, trees};
pub(crate) use versions::version;

/// The versions of the main paper's table 3.
const VERSIONS: [&str; 11] = ["1.0", "2.0", "2.5", "3.0", "3.5", "4.0", "4.5", "5.0", "5.5", "6.0", "6.5"];

/// What a section says where its games are missing.
const NO_EXPERIMENT: &str =
    "Nothing to show yet: the games of section 5.3 are missing, or their players share no mine ratio.";
