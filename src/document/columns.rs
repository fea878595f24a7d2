//! Tables in a terminal: columns padded to one width.

use std::sync::atomic::{AtomicUsize, Ordering};

use anstyle::Style;
use unicode_width::UnicodeWidthStr;

use super::plain;
use super::table::Align;

const HEADER: Style = Style::new().bold();

/// The columns of a table: names, how they are set, how many characters of a terminal they take.
pub struct Columns<'a, const N: usize> {
    header: [(&'a str, Align); N],
    widths: [usize; N],
}

impl<'a, const N: usize> Columns<'a, N> {
    /// Columns for entries that take at most `longest` characters, so that rows can be written as they come.
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

    /// The rows one below the other, a line an entry, a blank line between them.
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

/// Characters that a line of the terminal has; 0 where there is none, and lines may be as long as they like.
static ROOM: AtomicUsize = AtomicUsize::new(0);

/// From now on tables that are wider than this are written a line an entry.
pub fn fit_into(characters: usize) {
    ROOM.store(characters, Ordering::Relaxed);
}

/// A table with a header line, its columns as wide as their longest entry. Where a line of the terminal has no room for it, the rows
/// come one below the other, a line an entry.
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
