//! Tables: named columns, aligned left or right.

use std::fmt::Display;

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

/// A table for a page.
#[derive(Clone, PartialEq, Debug)]
pub struct PageTable {
    pub header: Vec<(String, Align)>,
    /// The rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl PageTable {
    /// Creates a table without rows. The first column is left-aligned, all further columns are right-aligned.
    pub fn new<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        let align = |at: usize| if at == 0 { Align::Left } else { Align::Right };
        let header = header
            .into_iter()
            .enumerate()
            .map(|(at, name)| (name.to_owned(), align(at)));
        Self {
            header: header.collect(),
            rows: Vec::new(),
        }
    }

    /// Creates a table with one row for each of `rows`; the methods of [`TableOf`] add the columns.
    pub fn of<R>(rows: &[R]) -> TableOf<'_, R> {
        TableOf::new(rows)
    }
}

/// A table with one row per `R`, built column by column, for a page or a terminal.
#[derive(Clone, PartialEq, Debug)]
pub struct TableOf<'a, R> {
    rows: &'a [R],
    pub(super) table: PageTable,
}

impl<'a, R> TableOf<'a, R> {
    /// Creates a table without columns and with one row for each of `rows`.
    pub fn new(rows: &'a [R]) -> Self {
        Self {
            rows,
            table: PageTable {
                header: Vec::new(),
                rows: vec![Vec::new(); rows.len()],
            },
        }
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
        self.table
            .rows
            .iter_mut()
            .zip(self.rows)
            .for_each(|(line, row)| line.push(entry(row).to_string()));
        self
    }
}

impl<R> From<TableOf<'_, R>> for PageTable {
    fn from(of: TableOf<'_, R>) -> Self {
        of.table
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_say_what_they_have_of_a_row() {
        let table: PageTable = PageTable::of(&[1, 20])
            .left("number", |n| *n)
            .right("twice", |n| format!("{}", 2 * n))
            .into();
        assert_eq!(
            table.header,
            [
                ("number".to_owned(), Align::Left),
                ("twice".to_owned(), Align::Right)
            ]
        );
        assert_eq!(table.rows, [["1", "2"], ["20", "40"]]);
    }
}
