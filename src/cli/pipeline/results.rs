//! Compares the rounds of repeats and the stages of matrices after a run.
//!
//! ```text
//! OUT/rounds.csv      a row for each round with the figures of its stages
//!     results.csv     a row for each stage of a matrix with its keys and figures
//!     FAMILY.csv      the means over seeds of the stages of a matrix
//!     FAMILY.svg      a plot of the first of them
//! ```

use std::{collections::BTreeMap, path::Path};

use super::{Stage, StageText};
use mineflow_arena::{Table, Text, to_csv};
use mineflow_report::results::{Cells, figures, joined, means};
use mineflow_store::write;

/// Writes the tables of these finished stages. Returns the rounds, and the means of each matrix.
///
/// # Errors
/// Returns an error if a stage can't be read or a table can't be written.
pub fn compare(stages: &[&Stage], out: &Path) -> anyhow::Result<Text> {
    let keys = || stages.iter().flat_map(|stage| &stage.text.matrix);
    let is_seed = |name: &str| keys().any(|key| key.seeds && key.name == name);
    let cell = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let mut rounds: BTreeMap<_, Cells> = BTreeMap::new();
    let mut families: BTreeMap<_, Vec<_>> = BTreeMap::new();
    let mut all: Vec<Cells> = Vec::new();
    for stage in stages {
        let StageText { family, matrix, .. } = &stage.text;
        if let Some(round) = &stage.text.round {
            let number = round.number;
            let repeat = || cell("repeat", &round.repeat);
            let row = rounds
                .entry((&round.repeat, number))
                .or_insert_with(|| vec![repeat(), cell("round", &number.to_string())]);
            let figures = figures(&stage.finished())?.into_iter();
            row.extend(figures.map(|(name, text)| (format!("{family}.{name}"), text)));
        } else if !matrix.is_empty() {
            let figures = figures(&stage.finished())?;
            let keys = matrix.iter().map(|key| cell(&key.name, &key.value));
            let mut keys: Cells = keys.collect();
            all.push([&[cell("stage", &stage.name)], &keys[..], &figures].concat());
            keys.retain(|(name, _)| !is_seed(name));
            families.entry(family).or_default().push((keys, figures));
        }
    }
    let mut text = Text::default();
    if !rounds.is_empty() {
        let rounds = joined(&rounds.into_values().collect::<Vec<_>>());
        write_csv(&out.join("rounds.csv"), &rounds)?;
        text = text.then(rounds);
    }
    if !all.is_empty() {
        write_csv(&out.join("results.csv"), &joined(&all))?;
    }
    for (family, runs) in families {
        let (table, plot) = means(&runs);
        write_csv(&out.join(format!("{family}.csv")), &table)?;
        text = text
            .then(format!("{family}, means with 95 % intervals:\n"))
            .then(table);
        if let Some(plot) = plot {
            write(&out.join(format!("{family}.svg")), plot.as_bytes())?;
        }
    }
    Ok(text)
}

fn write_csv(path: &Path, table: &Table) -> anyhow::Result<()> {
    let mut lines = vec![table.header.iter().map(|(name, _)| name).collect()];
    lines.extend(table.rows.iter().map(|row| row.iter().collect::<Vec<_>>()));
    Ok(write(path, &to_csv(&lines)?)?)
}
