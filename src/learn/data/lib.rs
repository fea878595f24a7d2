#![doc = include_str!("README.md")]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

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
