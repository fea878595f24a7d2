//! Tables: columns under names, set left or right.

/// How a column is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
}

/// A table of a page.
#[derive(Clone, PartialEq, Debug)]
pub struct PageTable {
    pub header: Vec<(String, Align)>,
    /// Each as long as the header.
    pub rows: Vec<Vec<String>>,
}

impl PageTable {
    /// A table without a row, the first column set left, the others right.
    pub fn new<'a>(header: impl IntoIterator<Item = &'a str>) -> Self {
        let align = |at: usize| if at == 0 { Align::Left } else { Align::Right };
        let header = header.into_iter().enumerate().map(|(at, name)| (name.to_owned(), align(at)));
        Self { header: header.collect(), rows: Vec::new() }
    }

    /// A table with a row for each of `rows`, to which columns are added.
    pub fn of<R>(rows: &[R]) -> TableOf<'_, R> {
        TableOf { rows, table: Self { header: Vec::new(), rows: vec![Vec::new(); rows.len()] } }
    }
}

/// A table of `R`s, column by column.
#[derive(Clone, PartialEq, Debug)]
pub struct TableOf<'a, R> {
    rows: &'a [R],
    table: PageTable,
}

impl<R> TableOf<'_, R> {
    /// Adds a column that is set left, as names and words are.
    pub fn left(self, name: &str, entry: impl Fn(&R) -> String) -> Self {
        self.column(name, Align::Left, entry)
    }

    /// Adds a column that is set right, as numbers are.
    pub fn right(self, name: &str, entry: impl Fn(&R) -> String) -> Self {
        self.column(name, Align::Right, entry)
    }

    fn column(mut self, name: &str, align: Align, entry: impl Fn(&R) -> String) -> Self {
        self.table.header.push((name.to_owned(), align));
        self.table.rows.iter_mut().zip(self.rows).for_each(|(line, row)| line.push(entry(row)));
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
        let table: PageTable =
            PageTable::of(&[1, 20]).left("number", |n| n.to_string()).right("twice", |n| (2 * n).to_string()).into();
        assert_eq!(table.header, [("number".to_owned(), Align::Left), ("twice".to_owned(), Align::Right)]);
        assert_eq!(table.rows, [["1", "2"], ["20", "40"]]);
    }
}
