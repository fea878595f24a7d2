//! From files to checked rows. A file that doesn't exist gives `None`; one that is wrong gives an error with its line.

mod calibration;
mod files;
mod games;
mod ggp;
mod guesses;
mod played;
mod samegame;
mod training;
mod worth;

pub(super) use calibration::{bins, limited_p, scores};
pub(super) use games::{GameTable, games};
pub(super) use ggp::{EqualityRow, NetworkRow, equality, ladder, learning, networks, series};
pub(super) use guesses::guesses;
pub(super) use played::PlayedSettings;
pub(super) use samegame::{SamegameResult, SamegameTables};
pub(super) use training::{AlphaRun, TrainingRun, TreesRun, alpha, network, trees};
pub(super) use worth::{TriedRow, WorthRow, tried, worth};
