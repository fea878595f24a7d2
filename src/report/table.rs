//! Tables and numbers as Markdown.

use std::path::Path;

use anyhow::Context as _;
use mineflow_arena::{Estimate, Table, numbers};

use crate::data::{Row, csv_rows};

/// Formats rows as a table. Cells in header and rows are separated by ` | `. The text is empty
/// without rows. Columns of numbers are right-aligned.
pub(crate) fn table(header: &str, rows: impl IntoIterator<Item = String>) -> String {
    let rows: Vec<String> = rows.into_iter().collect();
    if rows.is_empty() {
        return String::new();
    }
    let mut text = format!("| {header} |\n|");
    for column in 0..header.split(" | ").count() {
        let mut starts = rows
            .iter()
            .filter_map(|row| row.split(" | ").nth(column))
            .filter_map(|cell| cell.trim().chars().next());
        let is_numeric = column > 0 && starts.all(|first| "+-0123456789".contains(first));
        text += if is_numeric { "---:|" } else { "---|" };
    }
    text += "\n";
    for row in rows {
        text += &format!("| {row} |\n");
    }
    text
}

/// Formats a table as Markdown, as [`table`] does.
pub(crate) fn markdown(of: &Table) -> String {
    let names: Vec<&str> = of.header.iter().map(|(name, _)| &**name).collect();
    table(
        &names.join(" | "),
        of.rows.iter().map(|row| row.join(" | ")),
    )
}

/// Formats an estimate with `how`, or returns an empty text if there is none.
pub(crate) fn shown(of: Option<Estimate>, how: impl Fn(Estimate) -> String) -> String {
    of.map_or(String::new(), how)
}

/// Formats a ratio in % with the half-width of its 95 % interval: `41.13 ± 0.05`.
pub(crate) fn percent(of: Estimate) -> String {
    let half = 50.0 * of.width();
    let decimals = if half < 0.01 { 3 } else { 2 };
    format!(
        "{:.decimals$}\u{a0}±\u{a0}{half:.decimals$}",
        100.0 * of.value
    )
}

/// Formats an estimate with its 95 % interval: `68.5 (61.7 to 74.5)`.
pub(crate) fn interval(of: Estimate, decimals: usize) -> String {
    let Estimate { value, low, high } = of;
    format!("{value:.decimals$} ({low:.decimals$} to {high:.decimals$})")
}

/// Formats a difference of ratios in percentage points with its 95 % interval: `+0.06 (+0.03 to
/// +0.10)`.
pub(crate) fn points(of: Estimate) -> String {
    let Estimate { value, low, high } = of.times(100.0);
    let decimals = if high - low < 0.02 { 3 } else { 2 };
    format!("{value:+.decimals$} ({low:+.decimals$} to {high:+.decimals$})")
}

/// Formats a mean score with the half-width of its 95 % interval: `2,552 ± 65`.
pub(crate) fn score(of: Estimate) -> String {
    format!(
        "{}\u{a0}±\u{a0}{:.0}",
        numbers::score(of.value),
        of.width() / 2.0
    )
}

/// Formats a number with this many decimals, or returns an empty text if there is none.
pub(crate) fn bare(value: Option<f64>, decimals: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.decimals$}"))
}

/// Creates an estimate from a value and the ends of its interval.
pub(crate) fn estimate(value: f64, low: f64, high: f64) -> Estimate {
    Estimate { value, low, high }
}

/// Formats `columns` of a CSV file as a table. Long decimals are rounded and large numbers get
/// thousands separators.
pub(crate) fn as_it_stands(file: &Path, columns: &str) -> anyhow::Result<String> {
    let rows: Vec<Row> = csv_rows(file)?;
    let mut lines = Vec::new();
    for row in &rows {
        let cells: anyhow::Result<Vec<String>> = columns
            .split(',')
            .map(|column| {
                let text = row.0.get(column);
                text.map(|text| rounded(text))
                    .with_context(|| format!("{} has no column {column}", file.display()))
            })
            .collect();
        lines.push(cells?.join(" | "));
    }
    Ok(table(&columns.replace(',', " | ").replace('_', " "), lines))
}

/// Rounds a long decimal, and gives a large number thousands separators.
fn rounded(text: &str) -> String {
    let decimals = text.split_once('.').map_or(0, |(_, digits)| digits.len());
    match text.parse::<f64>() {
        Ok(value) if decimals > 4 => format!("{value:.4}"),
        Ok(value) if value >= 10_000.0 => numbers::grouped(value as u64),
        _ => text.to_owned(),
    }
}
