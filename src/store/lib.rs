#![doc = include_str!("README.md")]

mod error;
mod file;
mod folder;
mod journal;
mod lock;
mod named;
mod owner;
mod record;
mod seal;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use error::StoreError;
pub use file::{file_sha256, folder_sha256, sha256, write};
pub use folder::{Folder, Manifest, Purpose};
pub use journal::Journal;
pub use lock::Lock;
pub use record::{Program, read_record, write_record};
pub use seal::{Seal, damage, seal};

// These items are public only for the other crates of the workspace.
#[doc(hidden)]
pub use {
    error::FEWER_THREADS,
    file::{
        LONGEST, copy, hexadecimal, open, open_existing, open_to_write, put_whole, read,
        read_input, read_input_text, read_up_to, remove_file, remove_folder, text, without_bom,
    },
    owner::{is_beside_output, refuse_in_sealed, refuse_other_owner},
    record::{differences, object, parse_record, pretty},
    seal::{is_cost, lies_inside},
};

/// Locks `mutex`, whether or not a thread has panicked while it held the lock.
#[doc(hidden)]
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
