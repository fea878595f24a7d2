//! What goes to stdout and stderr.

use std::io::Write;

use anstyle::Style;
use anyhow::Context;
use serde::Serialize;

const HEADER: Style = Style::new().bold();

/// Writes an answer to stdout, colours taken out where they are not wanted.
pub(super) fn to_stdout(text: &str) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("can't write to standard output")
}

/// Writes a line for people to stderr. Where nobody listens, nothing is lost.
pub(super) fn to_stderr(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
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

/// A table with a header line, its columns as wide as their longest entry.
pub(super) fn table<const N: usize>(header: [(&str, Align); N], rows: &[[String; N]]) -> String {
    let widths: [usize; N] = std::array::from_fn(|column| {
        let entries = rows.iter().map(|row| row[column].chars().count());
        entries.chain([header[column].0.chars().count()]).max().unwrap_or(0)
    });
    let line = |entries: [&str; N]| {
        let set = |(column, entry): (usize, &str)| match header[column].1 {
            Align::Left => format!("{entry:<0$}", widths[column]),
            Align::Right => format!("{entry:>0$}", widths[column]),
        };
        entries.into_iter().enumerate().map(set).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut text = format!("{HEADER}{}{HEADER:#}\n", line(header.map(|(name, _)| name)));
    for row in rows {
        text += &line(row.each_ref().map(String::as_str));
        text.push('\n');
    }
    text
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
    fn columns_are_as_wide_as_their_longest_entry() {
        let rows = [["3.0".to_owned(), "7".to_owned()], ["dss+min-p".to_owned(), "12345".to_owned()]];
        let text = table([("player", Align::Left), ("games", Align::Right)], &rows);
        let plain = anstream::adapter::strip_str(&text).to_string();
        assert_eq!(plain, "player     games\n3.0            7\ndss+min-p  12345\n");
    }
}
