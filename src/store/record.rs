//! JSON records with a format number: manifests of folders and of stages.

use std::{collections::BTreeSet, path::Path};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{StoreError, read, without_bom, write};

/// The program that writes records. Another version may compute other results.
pub struct Program;

impl Program {
    /// The program's name in records.
    pub const NAME: &str = "mineflow";
    /// The program's version in records.
    pub const VERSION: &str = env!("CARGO_PKG_VERSION");
}

/// Describes the settings that differ between `here` and `there`.
pub fn differences(there: &Map<String, Value>, here: &Map<String, Value>) -> Vec<String> {
    let names: BTreeSet<_> = there.keys().chain(here.keys()).collect();
    let show = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
    let differing = |name: &&String| there.get(*name) != here.get(*name);
    let in_words = |name: &String| {
        let (mut there, mut here) = (there.get(name), here.get(name));
        // Of two lists, the first entries that differ are enough.
        if let (Some(Value::Array(all)), Some(Value::Array(others))) = (there, here)
            && let Some((one, other)) = all.iter().zip(others).find(|(one, other)| one != other)
        {
            (there, here) = (Some(one), Some(other));
        }
        format!("{name} is {} there and {} here", show(there), show(here))
    };
    names.into_iter().filter(differing).map(in_words).collect()
}

/// Returns the entries of a JSON object, the form in which settings are stored.
///
/// # Panics
/// Panics if `value` is not an object.
pub fn object(value: Value) -> Map<String, Value> {
    let Value::Object(entries) = value else {
        panic!("{value} is not an object")
    };
    entries
}

/// Formats a record as the text of its file: indented JSON with a final newline.
///
/// # Panics
/// Panics if a key is not a string.
pub fn pretty(record: &impl Serialize) -> Vec<u8> {
    let mut text =
        serde_json::to_vec_pretty(record).expect("a record has text keys and finite numbers alone");
    text.push(b'\n');
    text
}

/// Writes a record atomically.
///
/// # Errors
/// Returns an error if the file can't be written.
pub fn write_record(path: &Path, record: &impl Serialize) -> Result<(), StoreError> {
    write(path, &pretty(record))
}

/// Reads a record of this format. Returns `None` if the file doesn't exist.
///
/// # Errors
/// Returns an error if the file can't be read or is not a record of this format.
pub fn read_record<R: DeserializeOwned>(path: &Path, format: u64) -> Result<Option<R>, StoreError> {
    let wrong = |why| StoreError::Record {
        path: path.to_owned(),
        format,
        why,
    };
    read(path)?
        .map(|text| parse_record(&text, format).map_err(wrong))
        .transpose()
}

/// Parses a record of this format from the text of its file.
///
/// # Errors
/// Returns a description of why the text is not a record of this format.
pub fn parse_record<R: DeserializeOwned>(text: &[u8], format: u64) -> Result<R, String> {
    let value: Value =
        serde_json::from_slice(without_bom(text)).map_err(|error| error.to_string())?;
    match value.get("format") {
        Some(known) if *known == format => {
            serde_json::from_value(value).map_err(|error| error.to_string())
        }
        Some(other) => Err(format!("its format is {other}")),
        None => Err("it has no format".to_owned()),
    }
}
