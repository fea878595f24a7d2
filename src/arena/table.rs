//! Tables and texts for people, for whatever shows them: nothing here knows the width of a
//! terminal.

use std::fmt::Display;

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

/// A table of named columns.
#[derive(Clone, PartialEq, Debug)]
pub struct Table {
    pub header: Vec<(String, Align)>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

/// A table with one row per `R`, built column by column.
#[derive(Clone, PartialEq, Debug)]
pub struct TableOf<'a, R> {
    rows: &'a [R],
    table: Table,
}

impl<'a, R> TableOf<'a, R> {
    /// Creates a table without columns and with one row for each of `rows`.
    pub fn new(rows: &'a [R]) -> Self {
        let table = Table {
            header: Vec::new(),
            rows: vec![Vec::new(); rows.len()],
        };
        Self { rows, table }
    }

    /// Adds a left-aligned column, for names and words.
    pub fn left<E: Display>(self, name: &str, entry: impl Fn(&'a R) -> E) -> Self {
        self.column(name, Align::Left, entry)
    }

    /// Adds a right-aligned column, for numbers.
    pub fn right<E: Display>(self, name: &str, entry: impl Fn(&'a R) -> E) -> Self {
        self.column(name, Align::Right, entry)
    }

    fn column<E: Display>(mut self, name: &str, align: Align, entry: impl Fn(&'a R) -> E) -> Self {
        self.table.header.push((name.to_owned(), align));
        for (line, row) in self.table.rows.iter_mut().zip(self.rows) {
            line.push(entry(row).to_string());
        }
        self
    }

    /// Returns a text of this table alone.
    pub fn text(self) -> Text {
        self.table.into()
    }
}

/// A part of a [`Text`].
#[derive(Clone, PartialEq, Debug)]
pub enum Block {
    Table(Table),
    /// Whole lines, which are printed as they are.
    Lines(String),
    /// Whole lines, which may be broken between words.
    Prose(String),
}

/// A text for people: tables and lines, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Text(pub Vec<Block>);

impl Text {
    /// Adds a text at the end.
    #[must_use]
    pub fn then(mut self, more: impl Into<Self>) -> Self {
        self.0.extend(more.into().0);
        self
    }

    /// Returns a text of lines that may be broken between words.
    pub fn prose(lines: String) -> Self {
        Self(vec![Block::Prose(lines)])
    }
}

impl From<String> for Text {
    fn from(lines: String) -> Self {
        Self(vec![Block::Lines(lines)])
    }
}

impl From<&str> for Text {
    fn from(lines: &str) -> Self {
        lines.to_owned().into()
    }
}

impl From<Table> for Text {
    fn from(table: Table) -> Self {
        Self(vec![Block::Table(table)])
    }
}

impl<R> From<TableOf<'_, R>> for Table {
    fn from(of: TableOf<'_, R>) -> Self {
        of.table
    }
}

impl<R> From<TableOf<'_, R>> for Text {
    fn from(of: TableOf<'_, R>) -> Self {
        of.text()
    }
}
