//! Rows to learn from: tables in memory, and folders of Parquet files with the journal that says what they hold.
//!
//! ```text
//! DIR/manifest.json, lock        as of every folder (`mineflow_store::Folder`); the result is the sum of all shards (`Counts`)
//!     journal.jsonl              a line for each finished shard, with the hashes of its files (`ShardEntry`)
//!     rows/00000.parquet         a row per cell that was looked at, or per guess (`FileKind`)
//!     decisions/00000.parquet    a row per guess with the whole position
//! ```
//!
//! `rows` and `decisions` are data sets of their own: `pandas.read_parquet("DIR/rows")` reads all shards. Text columns are
//! `large_string` and byte columns `large_binary` in the Arrow schema of a file.
//!
//! The only place that names the Parquet crate.
mod columns;
mod decisions;
mod error;
mod folder;
mod guess_set;
mod parquet;
mod read;
mod split;
mod table;
mod windows;

pub use columns::FileKind;
pub use decisions::{StoredDecision, read_decisions};
pub use error::DataError;
pub use folder::{Counts, DataFolder, FileEntry, Manifest, ShardEntry, purpose};
pub use guess_set::{GuessSetRow, read_guess_set, write_guess_set};
pub use parquet::{Head, Values, head, write};
pub use read::{ReadLimits, check_memory, read_table, verify};
pub use split::split;
pub use table::{Split, Table};
pub use windows::{Drawn, ExtraMemory, Rows, Windows};

// For the other crates of the workspace alone.
#[doc(hidden)]
pub use parquet::being_read;
