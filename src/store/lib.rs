//! Files on disk: files written whole, records with a format, journals, and folders that record what they were made from.
//!
//! Everything here survives a process that is killed at any moment: a file exists whole or not at all
//! ([`write()`]), a journal's incomplete last line is dropped ([`Journal`]), and a [`Folder`] is locked by the process that works
//! there and refuses other commands and other settings. A finished folder is sealed: [`seal()`] takes the hash of every file, and a
//! change is found when the folder is opened again. This crate takes bytes and records; it may not know what they mean.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod error;
mod file;
mod folder;
mod journal;
mod named;
mod record;
mod seal;

pub use error::StoreError;
pub use file::{
    LONGEST, copy, file_sha256, folder_sha256, hexadecimal, open, open_to_write, put_whole, read, read_input,
    read_input_text, read_up_to, remove_file, remove_folder, sha256, write,
};
pub use folder::{Folder, Lock, Purpose, refuse_other_owner};
pub use journal::Journal;
pub use record::{Program, differences, object, parse_record, pretty, read_record, write_record};
pub use seal::{Seal, damage, is_cost, lies_inside, seal};
