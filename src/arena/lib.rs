//! Much work at once: jobs on several threads ([`Workers`]), series of games ([`Arena`]), and what their results mean.
//!
//! Game `i` of a board has a seed of its own that depends on neither player, thread nor first-click rule. So results
//! are the same for any number of threads, and two players meet the same boards. A [`Series`] of any work may have a
//! [`Folder`](mineflow_store::Folder) in which every piece is recorded when it is done; the same settings on the same folder resume.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod account;
mod jobs;
mod ledger;
mod paired;
mod part;
mod permits;
mod record;
mod run;
mod sequential;
mod series;
mod slots;
mod verdict;

pub use account::{Charge, CpuAccount};
pub use jobs::{Desk, Ending, Over, ThreadsError, Workers};
pub use ledger::{Ledger, Tally};
pub use paired::{Paired, PairedMean, mcnemar_exact};
pub use part::Part;
pub use permits::{Permit, Permits, Turn};
pub use record::{Cost, PHASES, Record, RecordError};
pub use run::{Arena, ArenaError, Configuration, GamesProgress, Plan};
pub use sequential::{Rounds, Sprt, SprtVerdict, Tested};
pub use series::{Keeping, Records, Series};
pub use slots::{Pairs, Piece, Slots};
pub use verdict::Verdict;
