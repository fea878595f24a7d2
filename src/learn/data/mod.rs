//! Rows to learn from: tables in memory, Parquet files, and the manifest that says what a folder holds.
//!
//! ```text
//! DIR/manifest.json              settings, seed, shards with their hashes, totals (`Manifest`)
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
mod manifest;
mod parquet;
mod read;
mod split;
mod table;
mod windows;

pub use columns::FileKind;
pub use decisions::{StoredDecision, read_decisions};
pub use error::DataError;
pub use manifest::{Counts, FileEntry, Manifest, ShardEntry};
pub use parquet::{Head, Values, head, write};
pub use read::{ReadLimits, check_memory, read_table, verify};
pub use split::split;
pub use table::{Split, Table};
pub use windows::{Drawn, ExtraMemory, Rows, Windows};

// For the other crates of the workspace alone.
#[doc(hidden)]
pub use parquet::{being_read, check_hash};
