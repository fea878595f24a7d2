//! What lies on disk: files written whole, records with a format, journals, and folders that say what they were made for.
//!
//! Everything here is written so that a process may be killed at any moment: a file exists whole or not at all
//! ([`write()`]), a journal's torn last line is dropped ([`Journal`]), and a [`Folder`] is locked by the process that works
//! there and refuses another one's settings.

mod error;
mod file;
mod folder;
mod journal;
mod named;
mod record;
mod suggest;

pub use error::StoreError;
pub use file::{copy, file_sha256, hexadecimal, put_whole, read, remove_file, remove_folder, sha256, write};
pub use folder::{Folder, Lock, Purpose};
pub use journal::Journal;
pub(crate) use named::named;
pub use record::{Program, differences, parse_record, pretty, read_record, write_record};
pub use suggest::nearest;
