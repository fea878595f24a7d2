//! The hashes of the files of a finished folder, to find files that were changed later.

use std::{
    collections::{BTreeMap, HashSet},
    fs,
    path::{Component, Path, PathBuf},
    sync::atomic::AtomicBool,
};

use rayon::prelude::*;

use super::{Lock, StoreError, file::unfinished, file_sha256, remove_file};

/// The SHA-256 of every file by its path relative to the folder, with `/` as the separator.
pub type Seal = BTreeMap<String, String>;

/// Returns whether a file, such as `cost.csv` or `cost.jsonl`, contains times, which differ from
/// run to run. Seals omit such files.
pub fn is_cost(file: &str) -> bool {
    file.rsplit('/')
        .next()
        .is_some_and(|name| name.starts_with("cost."))
}

/// Returns whether a name in a record is a path below the record's folder: without `..`, not
/// absolute, not empty.
pub fn lies_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Returns the seal of all files below `folder` except its lock, the `records`, which are written
/// later, and files that contain times. Removes temporary files that a killed process left.
///
/// # Errors
/// Returns an error if a file can't be read or removed, or [`StoreError::Stopped`] if `stop` was
/// set.
pub fn seal(folder: &Path, records: &[&str], stop: &AtomicBool) -> Result<Seal, StoreError> {
    let mut names = Vec::new();
    collect(folder, "", &mut names)?;
    let whole = names
        .iter()
        .map(String::as_str)
        .chain(records.iter().copied());
    let unfinished: HashSet<PathBuf> = whole.map(|name| unfinished(Path::new(name))).collect();
    let (left_over, mut names): (Vec<_>, Vec<_>) = names
        .into_iter()
        .partition(|name| unfinished.contains(Path::new(name)));
    left_over
        .iter()
        .try_for_each(|name| remove_file(&folder.join(name)))?;
    names.retain(|name| name != Lock::FILE && !records.contains(&name.as_str()) && !is_cost(name));
    let hashed = names.into_par_iter().map(|name| {
        let hash = file_sha256(&folder.join(&name), stop)?;
        Ok(hash.map(|hash| (name, hash)))
    });
    hashed.filter_map(Result::transpose).collect()
}

/// Returns the files of `folder` that differ from the seal, in order: the name of each file and a
/// description of the difference.
///
/// # Errors
/// Returns [`StoreError::Stopped`] if `stop` was set.
pub fn damage(
    folder: &Path,
    seal: &Seal,
    stop: &AtomicBool,
) -> Result<Vec<(String, String)>, StoreError> {
    let wrong = |(name, wanted): (&String, &String)| {
        if !lies_inside(name) {
            return Some(Ok((name.clone(), "is not in the folder".to_owned())));
        }
        let why = match file_sha256(&folder.join(name), stop) {
            Ok(Some(found)) if found == *wanted => return None,
            Ok(Some(_)) => "is damaged".to_owned(),
            Ok(None) => "is missing".to_owned(),
            Err(StoreError::Stopped) => return Some(Err(StoreError::Stopped)),
            Err(error) => format!("is damaged: {error}"),
        };
        Some(Ok((name.clone(), why)))
    };
    seal.par_iter().filter_map(wrong).collect()
}

/// Adds the names of the regular files below `folder` to `names`.
fn collect(folder: &Path, below: &str, names: &mut Vec<String>) -> Result<(), StoreError> {
    let place = folder.join(below);
    let in_place = || StoreError::io("read", &place);
    for entry in fs::read_dir(&place).map_err(in_place())? {
        let entry = entry.map_err(in_place())?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let name = if below.is_empty() {
            name
        } else {
            format!("{below}/{name}")
        };
        let found = entry.file_type().map_err(in_place())?;
        if found.is_dir() {
            collect(folder, &name, names)?;
        } else if found.is_file() {
            names.push(name);
        }
    }
    Ok(())
}
