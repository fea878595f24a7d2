#![doc = include_str!("README.md")]
//!
//! [`Workers`] runs jobs, [`Arena`] games, a [`Series`] records pieces in a [`Folder`](mineflow_store::Folder).

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod jobs;
mod ledger;
mod paired;
mod part;
mod record;
mod run;
mod sequential;
mod series;
mod slots;
mod verdict;

pub use jobs::{Desk, Ending, Over, ThreadsError, Workers};
pub use ledger::{Ledger, Tally};
pub use paired::{Paired, PairedMean, mcnemar_exact};
pub use part::Part;
pub use record::{Cost, PHASES, Record, RecordError};
pub use run::{Arena, ArenaError, Configuration, GamesProgress, Plan};
pub use sequential::{Sprt, SprtVerdict, Tested};
pub use series::{Keeping, Records, Series};
pub use verdict::Verdict;

// For the other crates of the workspace alone.
#[doc(hidden)]
#[doc(hidden)]
#[doc(hidden)]
pub use sequential::Rounds;
#[doc(hidden)]
pub use slots::{Pairs, Piece, Slots};
