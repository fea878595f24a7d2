//! Training data: tables in memory, and folders of Parquet files with a journal of their contents.
//!
//! ```text
//! DIR/manifest.json, lock        as in every folder (`mineflow_store::Folder`); the result holds the totals (`Counts`)
//!     journal.jsonl              one line per finished shard, with the hashes of its files (`ShardEntry`)
//!     rows/00000.parquet         one row per labelled cell, or per guess (`FileKind`)
//!     decisions/00000.parquet    one row per guess with the whole position
//! ```
//!
//! `rows` and `decisions` are separate data sets: `pandas.read_parquet("DIR/rows")` reads all
//! shards. Text columns are `large_string` and byte columns `large_binary` in the Arrow schema of a
//! file.
//!
//! This is the only module that uses the Parquet crate.
mod columns;
mod decisions;
mod error;
mod fields;
mod folder;
mod guess_set;
mod parquet;
mod read;
mod split;
mod table;
mod windows;

pub use columns::FileKind;
pub use decisions::{ShardRows, StoredDecision, read_decisions};
pub use error::DataError;
pub use folder::{Counts, DataFolder, FileEntry, Manifest, ShardEntry, purpose};
pub use guess_set::{GuessSetRow, read_guess_set, write_guess_set};
pub use parquet::{Head, head};
pub use read::{DataFolders, ReadLimits, check_memory, read_table, verify};
pub use split::split;
pub use table::{Split, Table};
pub use windows::{Drawn, ExtraMemory, Rows, TrainingRows, Windows};
