//! Draws texts and tables for a terminal: columns padded to equal width, words broken where a line
//! ends.

use std::mem;

use anstyle::Style;
use terminal_size::{Width, terminal_size_of};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

use mineflow_arena::{Align, Block, Table, Text, plain};

const HEADER: Style = Style::new().bold();

/// The default number of characters per line, without a terminal.
const USUAL_ROOM: usize = 100;
/// The minimum width of a word column. If the table is still too wide, rows are printed with one
/// line per entry.
const NARROWEST: usize = 16;
/// The gap between columns.
const GAP: &str = "  ";

/// Returns the number of columns of the terminal, if there is one.
pub(super) fn columns() -> Option<usize> {
    let (Width(columns), _) = terminal_size_of(std::io::stdout())?;
    (columns > 0).then_some(columns.into())
}

fn room() -> usize {
    columns().unwrap_or(USUAL_ROOM)
}

/// Draws a text.
pub(super) fn draw(text: &Text) -> String {
    text.0
        .iter()
        .map(|block| match block {
            Block::Table(table) => table_within(room(), table),
            Block::Lines(lines) => lines.clone(),
            Block::Prose(lines) => fitted(lines),
        })
        .collect()
}

fn table_within(room: usize, Table { header, rows }: &Table) -> String {
    let header = header.iter().map(|(name, align)| (&**name, *align));
    let columns = Columns::within(
        room,
        header.collect(),
        (0..).map(|column| {
            rows.iter()
                .map(|row| plain(&row[column]).width())
                .max()
                .unwrap_or(0)
        }),
    );
    let lines = rows.iter().map(|row| columns.line(row));
    columns.header() + &lines.collect::<String>()
}

/// Breaks a text after spaces into lines of at most `columns` characters. A longer word breaks
/// after `+`, `,`, `/` or `:`, or anywhere if it has none of these.
pub(super) fn wrapped(text: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
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

/// Breaks the lines of a text that are longer than a line of the terminal, and indents the
/// continuation lines.
fn fitted(text: &str) -> String {
    let indent = "    ";
    text.lines()
        .map(|line| {
            wrapped(line, room().saturating_sub(indent.len())).join(&format!("\n{indent}")) + "\n"
        })
        .collect()
}

/// Formats names with their values, one per line; long values take several lines.
pub(super) fn named_lines<'a, V: AsRef<str>>(
    lines: impl IntoIterator<Item = (&'a str, V)>,
) -> String {
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
    lines
        .iter()
        .map(|(name, value)| {
            let value = wrapped(
                &plain(value.as_ref()),
                room().saturating_sub(indent.len()).max(NARROWEST),
            );
            let padding = " ".repeat(names - name.width());
            format!(
                "{HEADER}{name}{HEADER:#}{padding}{GAP}{}\n",
                value.join(&format!("\n{indent}"))
            )
        })
        .collect()
}

/// The columns of a table: names, alignment, and width in terminal characters. If the table is too
/// wide for the terminal, names and words take several lines. If the numbers alone are too wide,
/// each row is printed with one line per entry.
pub(super) struct Columns<'a> {
    header: Vec<(&'a str, Align)>,
    /// The width of each column; `None` if rows are printed with one line per entry.
    widths: Option<Vec<usize>>,
}

impl<'a> Columns<'a> {
    /// Creates columns of these names for entries of at most so many characters, so that rows can
    /// be printed one at a time.
    pub fn new<const N: usize>(columns: [(&'a str, Align, usize); N]) -> Self {
        let header = columns.map(|(name, align, _)| (name, align));
        Self::within(
            room(),
            header.to_vec(),
            columns.map(|(_, _, longest)| longest),
        )
    }

    fn within(
        room: usize,
        header: Vec<(&'a str, Align)>,
        longest: impl IntoIterator<Item = usize>,
    ) -> Self {
        let (mut widths, least): (Vec<_>, Vec<_>) = header
            .iter()
            .zip(longest)
            .map(|(&(name, align), longest)| {
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
            })
            .unzip();
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
        let Some(widths) = &self.widths else {
            return String::new();
        };
        let mut cells: Vec<_> = self
            .header
            .iter()
            .zip(widths)
            .map(|((name, _), &width)| wrapped(name, width))
            .collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        // Names are aligned at the bottom, just above their column.
        for cell in &mut cells {
            cell.splice(..0, vec![String::new(); height - cell.len()]);
        }
        let lines = self.side_by_side(&cells, widths).join("\n");
        format!("{HEADER}{lines}{HEADER:#}\n")
    }

    /// Formats a row as one line, or as several if an entry is longer than its column or rows are
    /// printed with one line per entry.
    pub fn line(&self, row: &[String]) -> String {
        let Some(widths) = &self.widths else {
            let names = self.header.iter().map(|(name, _)| *name);
            return named_lines(names.zip(row).filter(|(_, entry)| !entry.is_empty())) + "\n";
        };
        let cells: Vec<_> = row
            .iter()
            .zip(widths)
            .zip(&self.header)
            .map(|((entry, &width), (_, align))| match align {
                Align::Left => wrapped(&plain(entry), width),
                Align::Right => vec![plain(entry).into_owned()],
            })
            .collect();
        self.side_by_side(&cells, widths).join("\n") + "\n"
    }

    /// Returns the terminal lines of a row: the wrapped cells side by side, padded to the widths of
    /// their columns.
    fn side_by_side(&self, cells: &[Vec<String>], widths: &[usize]) -> Vec<String> {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        (0..height)
            .map(|at| {
                cells
                    .iter()
                    .zip(widths)
                    .zip(&self.header)
                    .map(|((cell, &width), (_, align))| {
                        let part = cell.get(at).map_or("", |part| part);
                        let padding = " ".repeat(width.saturating_sub(part.width()));
                        match align {
                            Align::Left => format!("{part}{padding}"),
                            Align::Right => format!("{padding}{part}"),
                        }
                    })
                    .collect::<Vec<_>>()
                    .join(GAP)
                    .trim_end()
                    .to_owned()
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mineflow_arena::TableOf;

    #[test]
    fn columns_are_as_wide_as_their_widest_entry() {
        let rows = [["a", "1,000"], ["\u{ff21}\u{ff22}", "2"]];
        let table = TableOf::new(&rows)
            .left("name", |row| row[0])
            .right("n", |row| row[1]);
        let text = draw(&table.text());
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
            .right("n/CPU s", |row| row.1)
            .text();
        let [Block::Table(table)] = &table.0[..] else {
            panic!("{table:?}")
        };
        let within = |room| {
            table_within(room, table)
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
