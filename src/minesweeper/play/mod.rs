//! Analysis of games: the mine probabilities of a position, the values of its guesses, and what a
//! player would do and why.
//!
//! A [`Judge`] evaluates the candidates of a guess, an [`Adviser`] asks a player for its move, and
//! a [`SavedGame`] stores a game with its moves as a line of JSON.

mod adviser;
mod judge;
mod kept;
mod mines_text;
mod words;

pub use adviser::{Advice, Adviser, Odds, Proof};
pub use judge::{Candidate, Chord, Judge, Judged, conflict};
pub use kept::{KeptError, KeptMove, SavedGame, open_in_order};
pub use words::{explain_advice, explain_proof};
