//! Figures of finished stages, for tables that compare the rounds of a repeat or the stages of a
//! matrix.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use mineflow_arena::numbers::ends;
use mineflow_arena::{Align, Estimate, Table};
use mineflow_store::Folder;
use serde_json::Value;

use crate::data::Row;
use crate::table::exactly;
use mineflow_tasks::plot::{Axis, Point, Scale, Series, draw};

/// The tables of stages whose figures are not in the manifest.
const TABLES: [&str; 3] = ["eval.csv", "compare.csv", "score.csv"];
/// The columns that tell the rows of these tables apart.
const KEYS: [&str; 6] = ["player", "board", "width", "height", "mines", "first_click"];
/// The columns that are figures.
const FIGURES: [&str; 17] = [
    "test_log_loss",
    "test_loss",
    "validation_log_loss",
    "validation_loss",
    "gain",
    "loss",
    "corrected_win_ratio",
    "win_ratio",
    "corrected_difference",
    "difference",
    "difference_low",
    "difference_high",
    "games_difference",
    "games_low",
    "games_high",
    "kept",
    "rows",
];

/// The cells of a row, each with its column.
pub type Cells = Vec<(String, String)>;

/// Reads the figures of a finished stage. If its table has several rows, the columns in which they
/// differ are a part of the figures' names.
///
/// # Errors
/// Returns an error if a file of the stage can't be read.
pub fn figures(folder: &Path) -> anyhow::Result<Cells> {
    let mut tables = TABLES.iter().map(|file| folder.join(file));
    let mut rows: Vec<Row> = match tables.find(|file| file.exists()) {
        // An interval that can't be known is infinite, which other tables of the report refuse.
        Some(file) => csv::Reader::from_path(file)?
            .deserialize()
            .collect::<Result<_, _>>()?,
        None => vec![result(folder)?],
    };
    // A score has more rows for shares of unknown cells.
    rows.retain(|Row(row)| row.get("unknown").is_none_or(|band| band == "all"));
    let differ = |key: &&str| {
        rows.iter()
            .any(|Row(row)| row.get(*key) != rows[0].0.get(*key))
    };
    let keys: Vec<&str> = KEYS.into_iter().filter(differ).collect();
    let mut cells = Cells::new();
    for row in &rows {
        let keys = keys.iter().filter_map(|key| row.cell(key).ok());
        let keys: String = keys.map(|key| format!(" {key}")).collect();
        let there = FIGURES
            .iter()
            .filter_map(|of| Some((of, row.cell(of).ok()?)));
        cells.extend(there.map(|(figure, text)| (format!("{figure}{keys}"), text.to_owned())));
    }
    Ok(cells)
}

/// Reads the result in the manifest of a finished stage.
fn result(folder: &Path) -> anyhow::Result<Row> {
    let result: HashMap<String, Value> = Folder::finished_result(folder)?
        .and_then(|result| serde_json::from_value(result).ok())
        .unwrap_or_default();
    let there = result.into_iter().filter(|(_, value)| !value.is_null());
    Ok(Row(there
        .map(|(name, value)| (name, value.to_string()))
        .collect()))
}

/// Returns the text of a cell by its column. Rows have no cells for what their stage lacks.
fn cell<'a>(row: &'a Cells, column: &str) -> Option<&'a str> {
    row.iter()
        .find(|(name, _)| name == column)
        .map(|(_, text)| text.as_str())
}

/// Joins rows in a table of all their columns.
pub fn joined(rows: &[Cells]) -> Table {
    let mut columns: Vec<&str> = rows.iter().flatten().map(|(name, _)| &**name).collect();
    let mut seen = HashSet::new();
    columns.retain(|column| seen.insert(*column));
    let line = |row: &Cells| {
        let cells = columns.iter().map(|column| cell(row, column));
        cells
            .map(|cell| cell.unwrap_or_default().to_owned())
            .collect()
    };
    Table {
        rows: rows.iter().map(line).collect(),
        header: columns
            .iter()
            .map(|name| ((*name).to_owned(), Align::Right))
            .collect(),
    }
}

/// Averages the figures of runs with equal keys. Returns the table of means with 95 % intervals by
/// Student's t distribution, which are unknown for a single run, and a plot of the first figure if
/// several configurations have it.
pub fn means(runs: &[(Cells, Cells)]) -> (Table, Option<String>) {
    let mut configurations: Vec<(&Cells, Vec<&Cells>)> = Vec::new();
    for (key, run) in runs {
        match configurations.iter_mut().find(|(other, _)| *other == key) {
            Some((_, runs)) => runs.push(run),
            None => configurations.push((key, vec![run])),
        }
    }
    let mut rows = Vec::new();
    let mut points = Vec::new();
    for (key, runs) in configurations {
        let mut row = key.clone();
        row.push(("runs".to_owned(), runs.len().to_string()));
        for (at, (name, _)) in runs[0].iter().enumerate() {
            let values = runs.iter().filter_map(|run| cell(run, name)?.parse().ok());
            if values.clone().next().is_none() {
                continue;
            }
            let mean = Estimate::mean(values);
            let ends = ends(mean.low, mean.high, 4);
            row.push((name.clone(), format!("{:.4} ({ends})", mean.value)));
            if at == 0 {
                let drawn = if runs.len() > 1 {
                    mean
                } else {
                    exactly(mean.value)
                };
                let key: Vec<_> = key.iter().map(|(_, value)| &**value).collect();
                points.push(Point::new(rows.len() as f64 + 1.0, drawn).labelled(&key.join(", ")));
            }
        }
        rows.push(row);
    }
    let first = runs.iter().find_map(|(_, run)| run.first());
    let label = FIGURES
        .iter()
        .find(|of| first.is_some_and(|(name, _)| name.starts_with(**of)));
    let label = label.filter(|_| points.len() > 1);
    (joined(&rows), label.and_then(|label| plot(label, points)))
}

/// Draws the means of configurations.
fn plot(label: &'static str, points: Vec<Point>) -> Option<String> {
    let ends = || points.iter().flat_map(|point| [point.y.low, point.y.high]);
    let (low, high) = (
        ends().fold(f64::MAX, f64::min),
        ends().fold(f64::MIN, f64::max),
    );
    let margin = 0.1 * (high - low).max(1e-6);
    let x = Axis::new(
        "configuration",
        Scale::Linear,
        0.5,
        points.len() as f64 + 1.0,
    );
    let y = Axis::new(label, Scale::Linear, low - margin, high + margin);
    let name = label.to_owned();
    draw(&x, &y, &[Series { name, points }], false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(texts: &[(&str, &str)]) -> Cells {
        texts
            .iter()
            .map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect()
    }

    #[test]
    fn figures_are_averaged_by_name_if_a_run_lacks_one() {
        let key = cells(&[("depth", "2")]);
        let whole = cells(&[("test_loss", "4"), ("gain", "7"), ("rows", "10")]);
        let without_gain = cells(&[("test_loss", "6"), ("rows", "30")]);
        let (table, _) = means(&[(key.clone(), whole), (key, without_gain)]);
        let means: Vec<_> = table.rows[0]
            .iter()
            .map(|cell| cell.split(' ').next())
            .collect();
        let expected = ["2", "2", "5.0000", "7.0000", "20.0000"].map(Some);
        assert_eq!(means, expected);
    }
}
