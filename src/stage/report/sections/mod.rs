//! The parts of the report, each from what was read.

mod alpha;
mod by_ratio;
mod calibration;
mod curves;
mod ggp;
mod ggp_ladder;
mod ggp_learning;
mod guesses;
mod others;
mod samegame;
mod shape;
mod standard_board;
mod strength;
mod times;
mod training;
mod versions;
mod worth;

pub(crate) use alpha::alpha;
pub(crate) use calibration::{CalibrationTables, calibration};
pub(crate) use curves::{all_versions, csp_versions};
pub(crate) use ggp::rule_sheets;
pub(crate) use guesses::{TABLE as GUESSES, guesses};
pub(crate) use others::games;
pub(crate) use samegame::samegame;
pub(crate) use shape::{number_of_cells, ratio_of_sides};
pub(crate) use standard_board::{has_standard_board, standard_board};
pub(crate) use strength::{Strongest, strength, strongest};
pub(crate) use times::times;
pub(crate) use training::{networks, trees};
pub(crate) use versions::version;
pub(crate) use worth::ideas;
