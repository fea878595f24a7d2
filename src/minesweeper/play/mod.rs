//! A game that a person plays, with players to ask: what the terminal game is about, without the terminal.
//!
//! A [`Table`] takes one [`Command`] after another and holds what there is to show; times and files come from outside,
//! so the same commands give the same table. Below it: a [`Round`] is a game with its moves, to take back and to make
//! again; an [`Adviser`] knows the mine probabilities and asks a player; [`saved`] turns a round into bytes and back.

mod adviser;
mod clock;
mod command;
mod files;
mod fitting;
mod hints;
mod judge;
mod kept;
mod round;
pub mod saved;
mod table;
mod words;

pub use adviser::{Advice, Adviser, Odds, Proof};
pub use clock::Clock;
pub use command::{Button, Command, Direction, Effect, Existing, Mode, Prompt, Question, Written};
pub use fitting::fitting_field;
pub use judge::{CANDIDATES, Candidate, Judge, Judged, conflict};
pub use kept::{Kept, KeptError, KeptMove, open_in_order};
pub use round::{Refusal, Round, Shown};
pub use table::{Settings, Table};
pub use words::{explain_advice, explain_proof};
