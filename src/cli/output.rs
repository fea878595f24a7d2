//! What goes to stdout and stderr.

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use anstyle::Style;
use anyhow::Context;
use serde::Serialize;

use super::progress;

const HEADER: Style = Style::new().bold();

static QUIET: AtomicBool = AtomicBool::new(false);
static BRIEF: Mutex<Option<Brief>> = Mutex::new(None);

/// Writes an answer to stdout, colours taken out where they are not wanted.
pub(super) fn to_stdout(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("can't write to standard output")
}

/// How [`answer`] writes while one command is run after another.
pub(super) struct Brief {
    /// So many lines at most.
    pub(super) lines: usize,
    /// A path that is to be shown as another one, as what is there will be moved.
    pub(super) moved: (String, String),
}

/// From now on [`answer`] is brief.
pub(super) fn be_brief(brief: Brief) {
    *BRIEF.lock().unwrap_or_else(PoisonError::into_inner) = Some(brief);
}

/// Writes the table of a command to stdout, or its first lines if it is one of several commands.
pub(super) fn answer(text: &str) -> anyhow::Result<()> {
    match &*BRIEF.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(brief) => to_stdout(&brief.of(text)),
        None => to_stdout(text),
    }
}

impl Brief {
    fn of(&self, text: &str) -> String {
        let text = text.replace(&self.moved.0, &self.moved.1);
        let more = text.lines().count().saturating_sub(self.lines);
        if more == 0 {
            return text;
        }
        let first: String = text.split_inclusive('\n').take(self.lines).collect();
        format!("{first}... and {}\n", counted(more as u64, "more line"))
    }
}

/// Writes a line for people to stderr, above the bar if one is shown. Where nobody listens, nothing is lost.
pub(super) fn to_stderr(line: &str) {
    progress::above_bar(|| {
        let _ = writeln!(anstream::stderr().lock(), "{line}");
    });
}

/// From now on [`note`] says nothing.
pub(super) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Writes a line to stderr that nobody needs, unless asked to be quiet.
pub(super) fn note(line: &str) {
    if !QUIET.load(Ordering::Relaxed) {
        to_stderr(line);
    }
}

/// Rows as JSON lines.
pub(super) fn json_lines<R: Serialize>(rows: &[R]) -> anyhow::Result<String> {
    let mut text = String::new();
    for row in rows {
        text += &serde_json::to_string(row)?;
        text.push('\n');
    }
    Ok(text)
}

/// How a column is set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// The columns of a table: names, how they are set, how wide they are.
pub(super) struct Columns<'a, const N: usize> {
    header: [(&'a str, Align); N],
    widths: [usize; N],
}

impl<'a, const N: usize> Columns<'a, N> {
    /// Columns for entries of at most `longest` characters.
    pub(super) fn new(header: [(&'a str, Align); N], longest: [usize; N]) -> Self {
        let widths = std::array::from_fn(|column| longest[column].max(header[column].0.chars().count()));
        Self { header, widths }
    }

    /// The header line.
    pub(super) fn header(&self) -> String {
        format!("{HEADER}{}{HEADER:#}\n", self.set(self.header.map(|(name, _)| name)))
    }

    /// The line of a row.
    pub(super) fn line(&self, row: &[String; N]) -> String {
        self.set(row.each_ref().map(String::as_str)) + "\n"
    }

    fn set(&self, entries: [&str; N]) -> String {
        let set = |(column, entry): (usize, &str)| match self.header[column].1 {
            Align::Left => format!("{entry:<0$}", self.widths[column]),
            Align::Right => format!("{entry:>0$}", self.widths[column]),
        };
        entries.into_iter().enumerate().map(set).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

/// A table with a header line, its columns as wide as their longest entry.
pub(super) fn table<const N: usize>(header: [(&str, Align); N], rows: &[[String; N]]) -> String {
    let longest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let columns = Columns::new(header, std::array::from_fn(longest));
    rows.iter().fold(columns.header(), |text, row| text + &columns.line(row))
}

/// A whole number with its thousands set apart: `12,345`.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many things, in the singular or the plural: `1 game`, `12,345 games`.
pub(super) fn counted(number: u64, thing: &str) -> String {
    format!("{} {thing}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A ratio as a percentage with two decimals, without the sign `%`.
pub(super) fn percent(ratio: f64) -> String {
    format!("{:.2}", 100.0 * ratio)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 999, 1000, 12_345, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn a_brief_answer_has_its_first_lines_and_says_how_many_are_missing() {
        let brief = Brief { lines: 2, moved: ("a.new".to_owned(), "a".to_owned()) };
        assert_eq!(brief.of("a.new/1\na.new/2\n"), "a/1\na/2\n");
        assert_eq!(brief.of("1\n2\n3\n4\n"), "1\n2\n... and 2 more lines\n");
    }

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([0, 1, 2000].map(|n| counted(n, "game")), ["0 games", "1 game", "2,000 games"]);
    }

    #[test]
    fn columns_are_as_wide_as_their_longest_entry() {
        let rows = [["3.0".to_owned(), "7".to_owned()], ["dss+min-p".to_owned(), "12345".to_owned()]];
        let text = table([("player", Align::Left), ("games", Align::Right)], &rows);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "player     games\n3.0            7\ndss+min-p  12345\n");
    }
}
