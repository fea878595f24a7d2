//! Tables in a terminal: columns padded to one width.

use std::sync::atomic::{AtomicUsize, Ordering};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::plain;
use super::table::Align;

const HEADER: Style = Style::new().bold();

/// The columns of a table: names, alignment, and width in characters of a terminal.
pub struct Columns<'a, const N: usize> {
    header: [(&'a str, Align); N],
    widths: [usize; N],
}

impl<'a, const N: usize> Columns<'a, N> {
    /// Columns for entries of at most `longest` characters, so that rows can be printed one by one.
    pub fn new(header: [(&'a str, Align); N], longest: [usize; N]) -> Self {
        let widths = std::array::from_fn(|column| longest[column].max(header[column].0.width()));
        Self { header, widths }
    }

    /// The header line, in bold.
    pub fn header(&self) -> String {
        format!("{HEADER}{}{HEADER:#}\n", self.set(self.header.map(|(name, _)| name)))
    }

    /// The line of a row.
    pub fn line(&self, row: &[String; N]) -> String {
        let row = row.each_ref().map(|entry| plain(entry));
        self.set(std::array::from_fn(|column| &*row[column])) + "\n"
    }

    /// The rows one below the other: a line per entry, a blank line between rows.
    fn cards(&self, rows: &[[String; N]]) -> String {
        let names = self.header.iter().map(|(name, _)| name.width()).max().unwrap_or(0);
        let line = |((name, _), entry): (&(&str, Align), &String)| {
            let padding = " ".repeat(names - name.width());
            format!("{HEADER}{name}{HEADER:#}{padding}  {}\n", plain(entry))
        };
        let card = |row: &[String; N]| {
            self.header.iter().zip(row).filter(|(_, entry)| !entry.is_empty()).map(line).collect::<String>()
        };
        rows.iter().map(card).collect::<Vec<_>>().join("\n")
    }

    fn set(&self, entries: [&str; N]) -> String {
        let set = |(column, entry): (usize, &str)| {
            let padding = " ".repeat(self.widths[column].saturating_sub(entry.width()));
            match self.header[column].1 {
                Align::Left => format!("{entry}{padding}"),
                Align::Right => format!("{padding}{entry}"),
            }
        };
        entries.into_iter().enumerate().map(set).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// Characters in a line of the terminal; 0 without a terminal: lines have no limit.
static ROOM: AtomicUsize = AtomicUsize::new(0);

/// Sets the width above which tables are printed a line per entry.
pub fn fit_into(characters: usize) {
    ROOM.store(characters, Ordering::Relaxed);
}

/// A table with a header line and columns as wide as their longest entry. If it is wider than the terminal, the rows
/// are printed one below the other, a line per entry.
pub fn columns<const N: usize>(header: [(&str, Align); N], rows: &[[String; N]]) -> String {
    let longest = |column: usize| rows.iter().map(|row| row[column].width()).max().unwrap_or(0);
    let columns = Columns::new(header, std::array::from_fn(longest));
    let room = ROOM.load(Ordering::Relaxed);
    if room > 0 && columns.widths.iter().sum::<usize>() + 2 * (N - 1) > room {
        return columns.cards(rows);
    }
    rows.iter().fold(columns.header(), |text, row| text + &columns.line(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_one_below_the_other_where_there_is_no_room() {
        let columns = Columns::new([("name", Align::Left), ("n", Align::Right)], [1, 5]);
        let rows = [["a", "1,000"], ["b", ""]].map(|row| row.map(str::to_owned));
        let text = columns.cards(&rows);
        assert_eq!(
            text,
            format!("{HEADER}name{HEADER:#}  a\n{HEADER}n{HEADER:#}     1,000\n\n{HEADER}name{HEADER:#}  b\n")
        );
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows = [["a", "1,000"], ["\u{ff21}\u{ff22}", "2"]].map(|row| row.map(str::to_owned));
        let text = columns([("name", Align::Left), ("n", Align::Right)], &rows);
        assert_eq!(text, format!("{HEADER}name      n{HEADER:#}\na     1,000\n\u{ff21}\u{ff22}      2\n"));
    }
}
