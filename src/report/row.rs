//! Rows of named values: what the descriptions of the report speak of.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use mineflow_arena::Estimate;

/// A value of a row.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Entry {
    Number(f64),
    Text(String),
    Estimate(Estimate),
}

/// Values under their names. What is not known has no name.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Row(BTreeMap<String, Entry>);

impl Row {
    /// The fields of a record; what is nested, null or an empty text is left out.
    pub(super) fn of(record: &impl Serialize) -> Self {
        let Ok(Value::Object(fields)) = serde_json::to_value(record) else {
            return Self::default();
        };
        let entry = |value| match value {
            Value::Number(number) => number.as_f64().map(Entry::Number),
            Value::String(text) if !text.is_empty() => Some(Entry::Text(text)),
            Value::Bool(is) => Some(Entry::Text(is.to_string())),
            _ => None,
        };
        Self(
            fields
                .into_iter()
                .filter_map(|(name, value)| Some((name, entry(value)?)))
                .collect(),
        )
    }

    /// The row with another value, if it is known.
    pub(super) fn with(mut self, name: &str, entry: impl Into<Known>) -> Self {
        if let Known(Some(entry)) = entry.into() {
            self.0.insert(name.to_owned(), entry);
        }
        self
    }

    /// The row with all values of another one.
    pub(super) fn and(mut self, other: &Self) -> Self {
        self.0.extend(other.0.clone());
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<&Entry> {
        self.0.get(name)
    }

    /// A number, or the value of an estimate, or a text that is a number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Entry::Number(number) => Some(*number),
            Entry::Estimate(of) => Some(of.value),
            Entry::Text(text) => text.parse().ok(),
        }
    }

    /// How it compares with another row by a number; a row without one is the least.
    pub(super) fn by(&self, name: &str, other: &Self) -> Ordering {
        let of = |row: &Self| row.number(name).unwrap_or(f64::NEG_INFINITY);
        of(self).total_cmp(&of(other))
    }

    /// A text; empty where there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        match self.get(name) {
            Some(Entry::Text(text)) => text,
            _ => "",
        }
    }

    pub(super) fn estimate(&self, name: &str) -> Option<Estimate> {
        match self.get(name)? {
            Entry::Estimate(of) => Some(*of),
            _ => None,
        }
    }
}

/// A line of a table: its texts under the names of their columns, but for empty ones.
impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(line: D) -> Result<Self, D::Error> {
        let known = BTreeMap::<String, String>::deserialize(line)?
            .into_iter()
            .filter(|(_, text)| !text.is_empty());
        Ok(Self(
            known
                .map(|(name, text)| (name, Entry::Text(text)))
                .collect(),
        ))
    }
}

/// A value that a row takes, if it is known.
pub(super) struct Known(Option<Entry>);

impl<T: Into<Self>> From<Option<T>> for Known {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self(None), Into::into)
    }
}

/// Values of these types are known, and written down like this.
macro_rules! known {
    ($($of:ty: |$value:ident| $entry:expr;)*) => {
        $(impl From<$of> for Known {
            fn from($value: $of) -> Self {
                Self(Some($entry))
            }
        })*
    };
}

known! {
    f64: |number| Entry::Number(number);
    u64: |number| Entry::Number(number as f64);
    usize: |number| Entry::Number(number as f64);
    &str: |text| Entry::Text(text.to_owned());
    String: |text| Entry::Text(text);
    Estimate: |of| Entry::Estimate(of);
}
