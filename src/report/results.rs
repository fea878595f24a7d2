//! Figures of finished stages, for tables that compare the rounds of a repeat or the stages of a
//! matrix.

use std::{
    collections::{HashMap, HashSet},
    path::Path,
};

use mineflow_arena::{Estimate, Table, TableOf, numbers::ends};
use mineflow_store::Folder;
use serde_json::Value;

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

/// The cells of a row, each with its column. Rows have no cells for what their stage lacks.
pub type Cells = Vec<(String, String)>;

/// Reads the figures of a finished stage. If its table has several rows, the columns in which they
/// differ are a part of the figures' names.
///
/// # Errors
/// Returns an error if a file of the stage can't be read.
pub fn figures(folder: &Path) -> anyhow::Result<Cells> {
    let mut tables = TABLES.iter().map(|file| folder.join(file));
    let mut rows: Vec<HashMap<String, String>> = match tables.find(|file| file.exists()) {
        // An interval that can't be known is infinite, which other tables of the report refuse.
        Some(file) => csv::Reader::from_path(file)?
            .deserialize()
            .collect::<Result<_, _>>()?,
        None => {
            let result = Folder::finished_result(folder)?;
            let cells = result.as_ref().and_then(Value::as_object);
            let there = cells.into_iter().flatten();
            let there = there.filter(|(_, value)| !value.is_null());
            vec![
                there
                    .map(|(name, value)| (name.clone(), value.to_string()))
                    .collect(),
            ]
        }
    };
    rows.iter_mut()
        .for_each(|row| row.retain(|_, cell| !cell.is_empty()));
    // A score has more rows for shares of unknown cells.
    rows.retain(|row| row.get("unknown").is_none_or(|band| band == "all"));
    let differ = |key: &&str| rows.iter().any(|row| row.get(*key) != rows[0].get(*key));
    let keys: Vec<&str> = KEYS.into_iter().filter(differ).collect();
    let mut cells = Cells::new();
    for row in &rows {
        let keys = keys.iter().filter_map(|key| row.get(*key));
        let keys: String = keys.map(|key| format!(" {key}")).collect();
        let cell = |of: &&str| Some((format!("{of}{keys}"), row.get(*of)?.clone()));
        cells.extend(FIGURES.iter().filter_map(cell));
    }
    Ok(cells)
}

fn cell<'a>(row: &'a Cells, column: &str) -> Option<&'a str> {
    row.iter()
        .find(|(name, _)| name == column)
        .map(|(_, text)| text.as_str())
}

/// Joins rows in a table of all their columns.
pub fn joined(rows: &[Cells]) -> Table {
    let mut seen = HashSet::new();
    let columns = rows.iter().flatten().map(|(name, _)| name);
    let columns = columns.filter(|name| seen.insert(*name));
    let table = columns.fold(TableOf::new(rows), |table, name| {
        table.right(name, |row| cell(row, name).unwrap_or_default())
    });
    table.into()
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
        let mean = |name: &str| {
            let values = runs.iter().filter_map(|run| cell(run, name)?.parse().ok());
            values.clone().next()?;
            let of = Estimate::mean(values);
            Some(if name.contains("ratio") {
                of.clipped()
            } else {
                of
            })
        };
        let mut row = key.clone();
        row.push(("runs".to_owned(), runs.len().to_string()));
        row.extend(runs[0].iter().filter_map(|(name, _)| {
            let of = mean(name)?;
            let text = if of.low == of.high {
                of.value.to_string()
            } else {
                format!("{:.4} ({})", of.value, ends(of.low, of.high, 4))
            };
            Some((name.clone(), text))
        }));
        rows.push(row);
        if let Some(of) = runs[0].first().and_then(|(name, _)| mean(name)) {
            let drawn = match runs.len() {
                1 => Estimate::exactly(of.value),
                _ => of,
            };
            let key: Vec<_> = key.iter().map(|(_, value)| &**value).collect();
            points.push(Point::new(rows.len() as f64, drawn).labelled(&key.join(", ")));
        }
    }
    let first = runs.iter().find_map(|(_, run)| run.first());
    let label = FIGURES
        .iter()
        .find(|of| first.is_some_and(|(name, _)| name.starts_with(**of)));
    let plot = label.filter(|_| points.len() > 1).and_then(|label| {
        let x = Axis::new(
            "configuration",
            Scale::Linear,
            0.5,
            points.len() as f64 + 1.0,
        );
        let series = [Series::new(label, points)];
        draw(&x, &Axis::fitted(label, Scale::Linear), &series, false)
    });
    (joined(&rows), plot)
}
