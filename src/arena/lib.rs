#![doc = include_str!("README.md")]
//!
//! [`Workers`] runs jobs, [`Arena`] plays games, and a [`Series`] records pieces of work in a
//! [`Folder`](mineflow_store::Folder).

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod csv;
mod jobs;
mod ledger;
#[doc(hidden)]
pub mod numbers;
mod part;
mod plain;
mod record;
mod run;
mod series;
mod slots;
mod stats;
mod table;
mod tally;

pub use jobs::{Ending, ResultSender, ThreadsError, Workers};
pub use ledger::Ledger;
pub use part::Part;
pub use record::{Cost, Record};
pub use run::{Arena, ArenaError, Configuration, GamesProgress, Plan};
pub use series::{Keeping, Records, Series};
pub use stats::{
    CandidateRow, Comparison, Confidence, Estimate, GuessToScore, Paired, PairedMean, ScoreRow,
    Sprt, SprtVerdict, Tested, Verdict, WeightedGames, Z_95, mcnemar_exact,
};
pub use tally::{Tally, WinRate};

// Used only by other crates of the workspace.
#[doc(hidden)]
pub use {
    csv::to_csv,
    plain::{plain, plain_message},
    run::message,
    slots::{Pairs, Piece, Slots},
    stats::Rounds,
    table::{Align, Block, Table, TableOf, Text},
};
