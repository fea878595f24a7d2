#![doc = include_str!("README.md")]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod error;
mod file;
mod folder;
mod journal;
mod lock;
mod named;
mod owner;
mod record;
mod seal;

pub use error::StoreError;
pub use file::{file_sha256, folder_sha256, sha256, write};
pub use folder::{Folder, Manifest, Purpose};
pub use journal::Journal;
pub use lock::Lock;
pub use record::{Program, read_record, write_record};
pub use seal::{Seal, damage, seal};

// These items are public only for the other crates of the workspace.
#[doc(hidden)]
pub use error::FEWER_THREADS;
#[doc(hidden)]
pub use file::{
    LONGEST, copy, hexadecimal, open, open_existing, open_to_write, put_whole, read, read_input,
    read_input_text, read_up_to, remove_file, remove_folder, text, without_bom,
};
#[doc(hidden)]
#[doc(hidden)]
pub use owner::{is_beside_output, refuse_in_sealed, refuse_other_owner};
#[doc(hidden)]
pub use record::{differences, object, parse_record, pretty};
#[doc(hidden)]
pub use seal::{is_cost, lies_inside};
