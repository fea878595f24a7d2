//! Analysis of games: the mine probabilities of a position, the values of its guesses, and what a
//! player would do and why.
//!
//! A [`Judge`] evaluates the candidates of a guess, an [`Adviser`] asks a player for its move, and
//! a [`SavedGame`] stores a game with its moves as a line of JSON.

mod adviser;
mod conflict;
mod judge;
mod judged;
mod kept;
mod mines_text;
mod words;

pub use adviser::{Advice, Adviser, Odds};
pub use conflict::conflict;
pub use judge::Judge;
pub use judged::{Candidate, Chord, Compared, Judged};
pub use kept::{KeptError, KeptMove, SavedGame, open_in_order};
pub use words::{draws_ties, explain_advice, solutions};
