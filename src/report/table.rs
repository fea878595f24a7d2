//! Tables and numbers in Markdown.

use std::collections::HashMap;
use std::path::Path;

use mineflow_arena::{Estimate, numbers};

use crate::data::csv_rows;

/// A table, nothing without rows. Columns of texts are left-aligned and those of numbers right-aligned.
pub(crate) fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let is_number = |row: &Vec<String>, column: usize| {
        row[column].is_empty()
            || row[column].starts_with(|first: char| "+-0123456789".contains(first))
    };
    let rule = |column: usize| {
        if column > 0 && rows.iter().all(|row| is_number(row, column)) {
            "---:"
        } else {
            "---"
        }
    };
    if rows.is_empty() {
        return String::new();
    }
    let rules: Vec<&str> = (0..header.len()).map(rule).collect();
    let mut text = format!("| {} |\n|{}|\n", header.join(" | "), rules.join("|"));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}

/// A ratio in % with half the width of its 95 % interval: `41.13 ± 0.05`.
pub(crate) fn percent(of: Estimate) -> String {
    let half = 50.0 * (of.high - of.low);
    let decimals = if half < 0.01 { 3 } else { 2 };
    format!("{:.decimals$} ± {half:.decimals$}", 100.0 * of.value)
}

/// A difference of ratios in percentage points with its 95 % interval: `+0.06 (+0.03 to +0.10)`.
pub(crate) fn points(of: Estimate) -> String {
    let of = of.times(100.0);
    let decimals = if of.high - of.low < 0.02 { 3 } else { 2 };
    format!(
        "{:+.decimals$} ({:+.decimals$} to {:+.decimals$})",
        of.value, of.low, of.high
    )
}

/// A mean of scores with half the width of its 95 % interval: `2,552 ± 65`.
pub(crate) fn score(of: Estimate) -> String {
    format!(
        "{} ± {:.0}",
        numbers::score(of.value),
        (of.high - of.low) / 2.0
    )
}

/// A number with so many decimals, or nothing.
pub(crate) fn bare(value: Option<f64>, decimals: usize) -> String {
    value.map_or(String::new(), |value| format!("{value:.decimals$}"))
}

/// An estimate from a value and the ends of its interval.
pub(crate) fn estimate(value: f64, low: f64, high: f64) -> Estimate {
    Estimate { value, low, high }
}

/// Columns of a file as they stand there, long decimals rounded.
pub(crate) fn as_it_stands(file: &Path, columns: &str) -> anyhow::Result<String> {
    let rows: Vec<HashMap<String, String>> = csv_rows(file)?;
    let cell = |text: &str| match text.parse::<f64>() {
        Ok(value)
            if text
                .split_once('.')
                .is_some_and(|(_, digits)| digits.len() > 4) =>
        {
            format!("{value:.4}")
        }
        Ok(value) if value >= 10_000.0 => numbers::grouped(value as u64),
        _ => text.to_owned(),
    };
    let columns: Vec<&str> = columns.split(',').collect();
    let titles: Vec<String> = columns
        .iter()
        .map(|column| column.replace('_', " "))
        .collect();
    let cells = rows
        .iter()
        .map(|row| columns.iter().map(|column| cell(&row[*column])).collect());
    Ok(table(
        &titles.iter().map(|title| &**title).collect::<Vec<_>>(),
        &cells.collect::<Vec<_>>(),
    ))
}
