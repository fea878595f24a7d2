//! What a description shows: rows that views make of files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::row::Row;

/// Rows with what is said of them together.
#[derive(Clone, Default)]
pub(super) struct Data {
    pub(super) rows: Vec<Row>,
    /// Values that prose, captions and claims have places for.
    pub(super) facts: Row,
    /// Other rows of the same files, by name: the cases of claims, further lines of a figure.
    pub(super) more: BTreeMap<&'static str, Vec<Row>>,
    /// Columns that a table has one for each of: the values of rows whose names are their numbers.
    pub(super) columns: Vec<String>,
    /// The files that figures are drawn from.
    pub(super) files: Vec<PathBuf>,
}

impl Data {
    pub(super) fn of(rows: Vec<Row>) -> Self {
        Self {
            rows,
            ..Self::default()
        }
    }

    pub(super) fn facts(self, facts: Row) -> Self {
        Self { facts, ..self }
    }

    /// The data with rows of their own name.
    pub(super) fn and(mut self, name: &'static str, rows: Vec<Row>) -> Self {
        self.more.insert(name, rows);
        self
    }

    /// The data with other words for some texts under a name, in all rows.
    pub(super) fn renamed(mut self, name: &str, words: &BTreeMap<String, String>) -> Self {
        for row in self.rows.iter_mut().chain(self.more.values_mut().flatten()) {
            if let Some(word) = words.get(row.text(name)).cloned() {
                *row = std::mem::take(row).with(name, word);
            }
        }
        self
    }

    /// The rows of this name; without one those that the data has first.
    pub(super) fn named(&self, name: Option<&str>) -> &[Row] {
        match name {
            Some(name) => self.more.get(name).map_or(&[], Vec::as_slice),
            None => &self.rows,
        }
    }
}
