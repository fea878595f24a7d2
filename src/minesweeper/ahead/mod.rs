//! Evaluates guesses by what follows them: the next guess, computed exactly ([`TwoStep`]), or the
//! rest of the game, estimated on consistent layouts ([`RollOuts`]). A [`Teacher`] uses roll-outs
//! to value all candidates, and [`Paired`] compares some on common layouts. [`ClosedParts`] splits off
//! what the rest of the board doesn't affect.

mod closed;
mod influence;
mod layout_playout;
mod living;
mod paired;
mod roll_outs;
mod teacher;
mod two_step;
mod valuation;

pub use closed::{Closed, ClosedParts};
pub use influence::Influence;
pub use layout_playout::{Guesser, LayoutPlayout, Policy, Stop, lay};
pub use paired::{Choice, Paired, Rated};
pub use roll_outs::{Arm, RollOuts};
pub use teacher::Teacher;
pub(crate) use two_step::BONUS;
pub use two_step::{Ahead, LookScratch, Scored, TwoStep};
pub use valuation::{BLOCKS, LineValue, Lines, SCORING_LOOKS, Valuation, losses};
