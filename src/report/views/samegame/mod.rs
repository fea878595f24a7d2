//! SameGame: tables 1 to 7 and figure 2 of the SP-MCTS paper (Schadd and others, section 6).

mod by_budget;
mod one_by_one;
mod positions;
mod published;
mod result;
mod units;

pub(super) use by_budget::{scopes, settings, strategies, tuned};
pub(super) use one_by_one::{final_moves, restarts, rivals, tuning, variants};
pub(super) use positions::{each_position, positions};
pub(super) use units::units;
