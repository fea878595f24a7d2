//! What follows a guess: the next guess, weighed exactly ([`TwoStep`]), or the rest of the game, tried on layouts that fit
//! ([`RollOuts`]); a [`Teacher`] says by these how good each guess is.

mod influence;
mod layout_playout;
mod living;
mod roll_outs;
mod teacher;
mod two_step;
mod valuation;

pub use influence::Influence;
pub use layout_playout::{Guesser, LayoutPlayout, Policy, Stop, lay, safest};
pub use roll_outs::{Arm, RollOuts};
pub use teacher::Teacher;
pub(crate) use two_step::BONUS;
pub use two_step::{Ahead, LookScratch, Scored, TwoStep};
pub use valuation::{BLOCKS, LineValue, Lines, SCORING_LOOKS, Valuation, losses};
