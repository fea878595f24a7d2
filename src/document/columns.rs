//! Tables in a terminal: columns padded to one width.

use std::sync::atomic::{AtomicUsize, Ordering};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::plain;
use super::table::{Align, PageTable, TableOf};

const HEADER: Style = Style::new().bold();

/// The columns of a table: names, alignment, and width in characters of a terminal.
pub struct Columns<'a> {
    header: Vec<(&'a str, Align)>,
    widths: Vec<usize>,
}

impl<'a> Columns<'a> {
    /// Columns for entries of at most `longest` characters, so that rows can be printed one by one.
    pub fn new<const N: usize>(header: [(&'a str, Align); N], longest: [usize; N]) -> Self {
        Self::of(header.to_vec(), longest)
    }

    fn of(header: Vec<(&'a str, Align)>, longest: impl IntoIterator<Item = usize>) -> Self {
        let widths = header.iter().zip(longest).map(|((name, _), longest)| longest.max(name.width())).collect();
        Self { header, widths }
    }

    /// The header line, in bold.
    pub fn header(&self) -> String {
        format!("{HEADER}{}{HEADER:#}\n", self.set(self.header.iter().map(|(name, _)| *name)))
    }

    /// The line of a row.
    pub fn line(&self, row: &[String]) -> String {
        self.set(row.iter().map(|entry| plain(entry))) + "\n"
    }

    /// The rows one below the other: a line per entry, a blank line between rows.
    fn cards(&self, rows: &[Vec<String>]) -> String {
        let names = self.header.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        let line = |((name, _), entry): (&(&str, Align), &String)| {
            let padding = " ".repeat(names - name.width());
            format!("{HEADER}{name}{HEADER:#}{padding}  {}\n", plain(entry))
        };
        let card = |row: &Vec<String>| {
            self.header.iter().zip(row).filter(|(_, entry)| !entry.is_empty()).map(line).collect::<String>()
        };
        rows.iter().map(card).collect::<Vec<_>>().join("\n")
    }

    fn set(&self, entries: impl Iterator<Item: AsRef<str>>) -> String {
        let set = |((entry, width), (_, align)): ((_, &usize), &(&str, Align))| {
            let entry = AsRef::<str>::as_ref(&entry);
            let padding = " ".repeat(width.saturating_sub(entry.width()));
            match align {
                Align::Left => format!("{entry}{padding}"),
                Align::Right => format!("{padding}{entry}"),
            }
        };
        entries.zip(&self.widths).zip(&self.header).map(set).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// Characters in a line of the terminal; 0 without a terminal: lines have no limit.
static ROOM: AtomicUsize = AtomicUsize::new(0);

/// Sets the width above which tables are printed a line per entry.
pub fn fit_into(characters: usize) {
    ROOM.store(characters, Ordering::Relaxed);
}

impl<R> TableOf<'_, R> {
    /// The table for a terminal: a header line, and columns as wide as their longest entry. If it is wider than the terminal, the rows
    /// are printed one below the other, a line per entry.
    pub fn text(&self) -> String {
        let PageTable { header, rows } = &self.table;
        let longest = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
        let columns = Columns::of(header.iter().map(|(name, align)| (&**name, *align)).collect(), (0..).map(longest));
        let room = ROOM.load(Ordering::Relaxed);
        if room > 0 && columns.widths.iter().sum::<usize>() + 2 * (columns.widths.len() - 1) > room {
            return columns.cards(rows);
        }
        rows.iter().fold(columns.header(), |text, row| text + &columns.line(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_one_below_the_other_where_there_is_no_room() {
        let columns = Columns::new([("name", Align::Left), ("n", Align::Right)], [1, 5]);
        let rows = [["a", "1,000"], ["b", ""]].map(|row| row.map(str::to_owned).to_vec());
        let text = columns.cards(&rows);
        assert_eq!(
            text,
            format!("{HEADER}name{HEADER:#}  a\n{HEADER}n{HEADER:#}     1,000\n\n{HEADER}name{HEADER:#}  b\n")
        );
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows = [["a", "1,000"], ["\u{ff21}\u{ff22}", "2"]];
        let text = TableOf::new(&rows).left("name", |row| row[0]).right("n", |row| row[1]).text();
        assert_eq!(text, format!("{HEADER}name      n{HEADER:#}\na     1,000\n\u{ff21}\u{ff22}      2\n"));
    }
}
