//! The command that owns a folder, according to the folder's records.

use std::path::{Component, Path, PathBuf};

use serde_json::Value;

use super::{
    Folder, StoreError,
    folder::{COMMAND, MANIFEST, STAGE},
    read,
};

/// Checks that `path` does not lie in a folder of finished work, such as the one that a command
/// reads.
///
/// # Errors
/// Returns [`StoreError::OtherOwner`] with that folder if it does.
pub fn refuse_in_sealed(path: &Path) -> Result<(), StoreError> {
    // Links are resolved where folders exist; a missing folder will be made.
    let mut real = PathBuf::new();
    for part in std::path::absolute(path).unwrap_or_default().components() {
        match part {
            Component::ParentDir => drop(real.pop()),
            part => real.push(part),
        }
        real = real.canonicalize().unwrap_or(real);
    }
    let mut around = real.ancestors().skip(usize::from(real.exists()));
    match around.find(|folder| matches!(Folder::finished_result(folder), Ok(Some(_)))) {
        Some(sealed) => refuse_other_owner(sealed, ""),
        None => Ok(()),
    }
}

/// Checks that the folder at `path` does not belong to a command other than `command`, according to
/// its records.
///
/// # Errors
/// Returns [`StoreError::OtherOwner`] if it does, or an error if a record can't be read.
pub fn refuse_other_owner(path: &Path, command: &str) -> Result<(), StoreError> {
    match owner(path)? {
        Some(owner) if owner != command => Err(StoreError::OtherOwner {
            path: path.to_owned(),
            owner,
        }),
        _ => Ok(()),
    }
}

/// Returns the command that owns this folder, or `None` if the folder has no record or its record
/// names no command.
fn owner(path: &Path) -> Result<Option<String>, StoreError> {
    if path.join("registry.json").exists() {
        return Ok(Some("models".to_owned()));
    }
    let text = read(&path.join(MANIFEST))?.unwrap_or_default();
    let record: Value = serde_json::from_slice(&text).unwrap_or_default();
    let command = record["settings"][COMMAND].as_str();
    Ok(command.map(str::to_owned))
}

/// Returns whether a pipeline keeps this folder beside the output of a stage: the shards of its
/// run, or an earlier output.
pub fn is_beside_output(folder: &Path) -> bool {
    let kind = folder.extension().unwrap_or_default().to_string_lossy();
    let is_earlier = kind.starts_with("old-") || kind == "replaced";
    kind == "parts" || kind.starts_with("parts-") || is_earlier && folder.join(STAGE).is_file()
}
