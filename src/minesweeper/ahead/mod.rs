//! What follows a guess: the next guess, weighed exactly ([`TwoStep`]), or the rest of the game, tried on layouts that fit
//! ([`RollOuts`]).

mod deeper;
mod roll_out;
mod roll_outs;
mod two_step;

pub use deeper::Deeper;
pub use roll_out::{Guesser, RollOut, Stop, lay, safest};
pub use roll_outs::{Arm, RollOuts};
pub use two_step::{Ahead, LookScratch, Scored, TwoStep};
