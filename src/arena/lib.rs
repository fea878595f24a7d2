#![doc = include_str!("README.md")]
//!
//! [`Workers`] runs jobs, [`Arena`] plays games, and a [`Series`] records pieces of work in a [`Folder`](mineflow_store::Folder).

#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::disallowed_methods))]

mod confidence;
mod csv;
mod distributions;
mod estimate;
mod jobs;
mod ledger;
#[doc(hidden)]
pub mod numbers;
mod paired;
mod part;
mod plain;
mod record;
mod run;
mod score;
mod sequential;
mod series;
mod slots;
mod table;
mod verdict;

pub use confidence::{Confidence, Z_95};
pub use estimate::{Estimate, WeightedGames};
pub use jobs::{Ending, ResultSender, StopSignal, ThreadsError, Workers};
pub use ledger::{Ledger, Tally, WinRate};
pub use paired::{Paired, PairedMean, mcnemar_exact};
pub use part::Part;
pub use record::{Cost, Record, RecordError};
pub use run::{Arena, ArenaError, Configuration, GamesProgress, Plan};
pub use score::{CandidateRow, GuessToScore, ScoreRow};
pub use sequential::{Sprt, SprtVerdict, Tested};
pub use series::{Keeping, Records, Series};
pub use verdict::Verdict;

// Used only by other crates of the workspace.
#[doc(hidden)]
pub use csv::to_csv;
#[doc(hidden)]
pub use plain::{plain, plain_message};
#[doc(hidden)]
pub use sequential::Rounds;
#[doc(hidden)]
pub use slots::{Pairs, Piece, Slots};
#[doc(hidden)]
pub use table::{Align, Block, Table, TableOf, Text};
