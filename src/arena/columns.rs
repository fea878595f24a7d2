//! Tables in a terminal: columns padded to equal width.

use std::borrow::Cow;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};

use anstyle::Style;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use super::plain;
use super::table::{Align, PageTable, TableOf};

const HEADER: Style = Style::new().bold();

/// The default number of characters per line, without a terminal.
const USUAL_ROOM: usize = 100;
/// The minimum width of a word column. If the table is still too wide, rows are printed with one line per entry.
const NARROWEST: usize = 16;
/// The gap between columns.
const GAP: &str = "  ";

/// The number of characters per line of the terminal.
static ROOM: AtomicUsize = AtomicUsize::new(USUAL_ROOM);

/// Sets the width of tables, in characters. The default is 100.
pub fn fit_into(characters: usize) {
    ROOM.store(characters, Ordering::Relaxed);
}

fn room() -> usize {
    ROOM.load(Ordering::Relaxed)
}

/// Breaks a text after spaces into lines of at most `columns` characters. A longer word breaks after `+`, `,`, `/` or `:`, or anywhere if
/// it has none of these.
pub fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let (mut lines, mut line) = (Vec::new(), String::new());
    let pieces = text.split_inclusive(' ').flat_map(|word| {
        let is_long = word.trim_end().width() > columns;
        word.split_inclusive(move |character| is_long && BREAKS.contains(&character))
    });
    for piece in pieces {
        if !line.is_empty() && line.width() + piece.trim_end().width() > columns {
            lines.push(mem::take(&mut line));
        }
        for character in piece.chars() {
            if !line.is_empty()
                && character != ' '
                && line.width() + character.width().unwrap_or(0) > columns
            {
                lines.push(mem::take(&mut line));
            }
            line.push(character);
        }
    }
    lines.push(line);
    lines
        .iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

/// The characters after which words and column names may break.
const BREAKS: [char; 5] = [' ', '+', ',', '/', ':'];

/// Breaks the lines of a text that are longer than a line of the terminal, and indents the continuation lines.
pub fn fitted(text: &str) -> String {
    let indent = "    ";
    let fit = |line| {
        wrapped(line, room().saturating_sub(indent.len())).join(&format!("\n{indent}")) + "\n"
    };
    text.lines().map(fit).collect()
}

/// Formats names with their values, one per line; long values take several lines.
pub fn named_lines<'a, V: AsRef<str>>(lines: impl IntoIterator<Item = (&'a str, V)>) -> String {
    let lines: Vec<_> = lines
        .into_iter()
        .map(|(name, value)| (plain(name), value))
        .collect();
    let names = lines
        .iter()
        .map(|(name, _)| name.width())
        .max()
        .unwrap_or(0);
    let indent = " ".repeat(names + GAP.len());
    let line = |(name, value): &(Cow<'a, str>, V)| {
        let value = wrapped(
            &plain(value.as_ref()),
            room().saturating_sub(indent.len()).max(NARROWEST),
        );
        let padding = " ".repeat(names - name.width());
        format!(
            "{HEADER}{name}{HEADER:#}{padding}{GAP}{}\n",
            value.join(&format!("\n{indent}"))
        )
    };
    lines.iter().map(line).collect()
}

/// The columns of a table: names, alignment, and width in terminal characters. If the table is too wide for the terminal, names and words
/// take several lines. If the numbers alone are too wide, each row is printed with one line per entry.
pub struct Columns<'a> {
    header: Vec<(&'a str, Align)>,
    /// The width of each column; `None` if rows are printed with one line per entry.
    widths: Option<Vec<usize>>,
}

impl<'a> Columns<'a> {
    /// Creates columns for entries of at most `longest` characters, so that rows can be printed one at a time.
    pub fn new<const N: usize>(header: [(&'a str, Align); N], longest: [usize; N]) -> Self {
        Self::within(room(), header.to_vec(), longest)
    }

    fn within(
        room: usize,
        header: Vec<(&'a str, Align)>,
        longest: impl IntoIterator<Item = usize>,
    ) -> Self {
        let columns = header.iter().zip(longest).map(|(&(name, align), longest)| {
            let pieces = name
                .split_inclusive(BREAKS)
                .map(|piece| piece.trim_end().width());
            let least = if align == Align::Left {
                longest.min(NARROWEST)
            } else {
                longest
            };
            (
                longest.max(name.width()),
                least.max(pieces.max().unwrap_or(0)),
            )
        });
        let (mut widths, least): (Vec<_>, Vec<_>) = columns.unzip();
        let room = room.saturating_sub(GAP.len() * widths.len().saturating_sub(1));
        while widths.iter().sum::<usize>() > room {
            let widest = (0..widths.len())
                .filter(|&at| widths[at] > least[at])
                .max_by_key(|&at| widths[at]);
            let Some(widest) = widest else {
                return Self {
                    header,
                    widths: None,
                };
            };
            widths[widest] -= 1;
        }
        Self {
            header,
            widths: Some(widths),
        }
    }

    /// Returns the header line, in bold.
    pub fn header(&self) -> String {
        let names = self.header.iter().map(|(name, _)| *name);
        self.widths.as_ref().map_or_else(String::new, |widths| {
            let mut cells: Vec<_> = names
                .zip(widths)
                .map(|(name, &width)| wrapped(name, width))
                .collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            // Names are aligned at the bottom, just above their column.
            for cell in &mut cells {
                while cell.len() < height {
                    cell.insert(0, String::new());
                }
            }
            format!(
                "{HEADER}{}{HEADER:#}\n",
                self.side_by_side(cells, widths).join("\n")
            )
        })
    }

    /// Formats a row as one line, or as several if an entry is longer than its column or rows are printed with one line per entry.
    pub fn line(&self, row: &[String]) -> String {
        let Some(widths) = &self.widths else {
            let names = self.header.iter().map(|(name, _)| *name);
            return named_lines(names.zip(row).filter(|(_, entry)| !entry.is_empty())) + "\n";
        };
        let cell = |((entry, &width), (_, align)): ((&String, &usize), &(&str, Align))| match align
        {
            Align::Left => wrapped(&plain(entry), width),
            Align::Right => vec![plain(entry).into_owned()],
        };
        let cells = row.iter().zip(widths).zip(&self.header).map(cell).collect();
        self.side_by_side(cells, widths).join("\n") + "\n"
    }

    /// Returns the terminal lines of a row: the wrapped cells side by side, padded to the widths of their columns.
    fn side_by_side(&self, cells: Vec<Vec<String>>, widths: &[usize]) -> Vec<String> {
        let set =
            |line: usize| {
                let padded = cells.iter().zip(widths).zip(&self.header).map(
                    |((cell, &width), (_, align))| {
                        let part = cell.get(line).map_or("", |part| part);
                        let padding = " ".repeat(width.saturating_sub(part.width()));
                        match align {
                            Align::Left => format!("{part}{padding}"),
                            Align::Right => format!("{padding}{part}"),
                        }
                    },
                );
                padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
            };
        (0..cells.iter().map(Vec::len).max().unwrap_or(0))
            .map(set)
            .collect()
    }
}

impl<R> TableOf<'_, R> {
    /// Formats the table for a terminal: a header, and columns as wide as their longest entry if there is [room](fit_into).
    pub fn text(&self) -> String {
        self.within(room())
    }

    fn within(&self, room: usize) -> String {
        let PageTable { header, rows } = &self.table;
        let longest = |column: usize| {
            rows.iter()
                .map(|row| plain(&row[column]).width())
                .max()
                .unwrap_or(0)
        };
        let header = header
            .iter()
            .map(|(name, align)| (&**name, *align))
            .collect();
        let columns = Columns::within(room, header, (0..).map(longest));
        rows.iter()
            .fold(columns.header(), |text, row| text + &columns.line(row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows = [["a", "1,000"], ["\u{ff21}\u{ff22}", "2"]];
        let text = TableOf::new(&rows)
            .left("name", |row| row[0])
            .right("n", |row| row[1])
            .text();
        assert_eq!(
            text,
            format!("{HEADER}name      n{HEADER:#}\na     1,000\n\u{ff21}\u{ff22}      2\n")
        );
    }

    #[test]
    fn words_take_several_lines_where_there_is_no_room_and_numbers_never_do() {
        let rows = [("dss+components:a=100:b=20", "1,000")];
        let table = TableOf::new(&rows)
            .left("name", |row| row.0)
            .right("n/CPU s", |row| row.1);
        let within = |room| {
            table
                .within(room)
                .replace(&HEADER.to_string(), "")
                .replace(&format!("{HEADER:#}"), "")
        };
        let wide = "name                       n/CPU s\ndss+components:a=100:b=20    1,000\n";
        assert_eq!(
            (within(100), within(34)),
            (wide.to_owned(), wide.to_owned())
        );
        let narrow = "                   n/CPU\nname                   s\ndss+components:    1,000\na=100:b=20\n";
        assert_eq!(within(24), narrow);
        assert_eq!(
            within(20),
            "name     dss+components:a=100:b=20\nn/CPU s  1,000\n\n"
        );
    }

    #[test]
    fn lines_break_after_words_and_parts_and_anywhere_in_what_is_longer() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("[:a=1] [:b=2|3]", 11), ["[:a=1]", "[:b=2|3]"]);
        assert_eq!(wrapped("a/bcd+efg", 5), ["a/", "bcd+", "efg"]);
        assert_eq!(wrapped("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrapped("", 4), [""]);
        assert_eq!(wrapped("\u{ff21}\u{ff22}", 2), ["\u{ff21}", "\u{ff22}"]);
    }
}
