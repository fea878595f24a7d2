#![doc = include_str!("README.md")]
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
