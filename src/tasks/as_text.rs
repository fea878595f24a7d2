//! Serde helpers for settings that are written as text: `#[serde(serialize_with)]`.

use std::fmt::Display;

use serde::Serializer;

/// Writes one setting as text.
pub fn one<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Writes an optional setting as text, or as null.
pub fn optional<T: Display, S: Serializer>(
    value: &Option<T>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.collect_str(value),
        None => serializer.serialize_none(),
    }
}

/// Writes a list of settings as a list of texts.
pub fn list<T: Display, S: Serializer>(values: &[T], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(values.iter().map(ToString::to_string))
}
