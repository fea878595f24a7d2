//! Many games: one after another at a [`Seat`], in parallel in an [`Arena`], and what their results mean.
//!
//! Game `i` of a board has a seed of its own that depends on neither player, thread nor first-click rule. So results
//! are the same for any number of threads, and two players meet the same boards. An [`Arena`] may keep a [`Folder`] in
//! which everything played is noted at once; the same settings on the same folder go on where they stopped.

mod folder;
mod interval;
mod journal;
mod ledger;
mod paired;
mod run;
mod seat;

pub use folder::{Folder, FolderError, Manifest};
pub(crate) use folder::{lock, setting_differences, write_whole};
pub use interval::{Interval, wilson};
pub use ledger::{Ledger, Record, RecordError, Tally};
pub use paired::{Paired, mcnemar_exact};
pub use run::{Arena, ArenaError, Configuration, Ending, Plan, Progress};
pub(crate) use seat::open_all;
pub use seat::{Fault, GameEnd, Limits, Outcome, Seat, board_seed};
