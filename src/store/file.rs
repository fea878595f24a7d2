//! Files: read if they are there, written whole or not at all, hashed.

use std::fs;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::StoreError;

/// The contents of a file; `None` if there is none.
///
/// # Errors
/// If it is there and can't be read.
pub fn read(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    if_present(fs::read(path)).map_err(StoreError::io("read", path))
}

/// Writes a file under another name first, then renames it, so that what exists is whole.
///
/// # Errors
/// If it can't be written; what stood there before then stays.
pub fn write(path: &Path, contents: &[u8]) -> Result<(), StoreError> {
    put_whole(path, |unfinished| fs::write(unfinished, contents))
}

/// Copies a file, whole or not at all.
///
/// # Errors
/// If one can't be read or the other not be written.
pub fn copy(from: &Path, to: &Path) -> Result<(), StoreError> {
    put_whole(to, |unfinished| fs::copy(from, unfinished).map(drop))
}

/// Has a file made under another name by `make`, then renames it to `path`.
///
/// # Errors
/// If it can't be made; nothing is then left of it, and what stood at `path` stays.
pub fn put_whole<T>(path: &Path, make: impl FnOnce(&Path) -> io::Result<T>) -> Result<T, StoreError> {
    // Always the same name: what a killed process leaves is written over by the next one.
    let unfinished = path.with_added_extension("tmp");
    let put = make(&unfinished).and_then(|made| fs::rename(&unfinished, path).map(|()| made));
    put.map_err(|error| {
        // It may not be there; the error to report is the first one.
        let _ = fs::remove_file(&unfinished);
        StoreError::io("write", path)(error)
    })
}

/// Removes a file, if it is there.
///
/// # Errors
/// If it is there and can't be removed.
pub fn remove_file(path: &Path) -> Result<(), StoreError> {
    if_present(fs::remove_file(path)).map(drop).map_err(StoreError::io("remove", path))
}

/// Removes a folder with everything in it, if it is there.
///
/// # Errors
/// If it is there and can't be removed.
pub fn remove_folder(path: &Path) -> Result<(), StoreError> {
    if_present(fs::remove_dir_all(path)).map(drop).map_err(StoreError::io("remove", path))
}

fn if_present<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other.map(Some),
    }
}

/// SHA-256 of these bytes, in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(&Sha256::digest(bytes))
}

/// SHA-256 of a file's contents; `None` if there is none.
///
/// # Errors
/// If it is there and can't be read.
pub fn file_sha256(path: &Path) -> Result<Option<String>, StoreError> {
    Ok(read(path)?.map(|bytes| sha256(&bytes)))
}

/// Bytes as hexadecimal digits, two each.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
