//! What is kept of each match.

use std::path::Path;

use anyhow::Context;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::Played;
use mineflow_document::to_csv;
use mineflow_store::{Folder, read};

const MATCHES: &str = "matches.csv";
const COSTS: &str = "cost.csv";

/// A match: a row of `matches.csv`. Lists are joined by semicolons, in the order of the roles, chance left out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchRow {
    pub index: u32,
    pub players: String,
    pub goals: String,
    pub steps: usize,
    /// Whether a terminal state was reached within the horizon.
    pub ended: bool,
    /// What the players' deliberations took: moves with a choice, playouts in all of them, and those of the playouts
    /// that ended in the cache of explored leaves; stages solved and arms cut, for certain and by confidence.
    pub moves: String,
    pub samples: String,
    pub explored: String,
    pub stages: String,
    pub certain_cuts: String,
    pub confidence_cuts: String,
}

/// CPU seconds of each player of a match, in all and in the solver: a row of `cost.csv`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CostRow {
    pub index: u32,
    pub cpu_seconds: String,
    pub solving_seconds: String,
}

/// The numbers of a list; what is none counts 0.
pub(super) fn numbers(list: &str) -> impl Iterator<Item = f64> {
    list.split(';').map(|number| number.parse().unwrap_or(0.0))
}

pub(super) fn list(items: impl Iterator<Item = impl ToString>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(";")
}

/// The matches whose rows are all there.
pub(super) fn read_rows(folder: &Folder) -> anyhow::Result<Played> {
    read_rows_of(folder.path())
}

/// The same of the folder at `path`.
pub(super) fn read_rows_of(path: &Path) -> anyhow::Result<Played> {
    let (mut rows, mut costs) = (rows_of(&path.join(MATCHES))?, rows_of(&path.join(COSTS))?);
    let whole = rows.len().min(costs.len());
    rows.truncate(whole);
    costs.truncate(whole);
    Ok(Played { rows, costs })
}

pub(super) fn write_rows(folder: &Folder, played: &Played) -> anyhow::Result<()> {
    folder.write(COSTS, &to_csv(&played.costs)?)?;
    Ok(folder.write(MATCHES, &to_csv(&played.rows)?)?)
}

fn rows_of<R: DeserializeOwned>(path: &Path) -> anyhow::Result<Vec<R>> {
    let Some(text) = read(path)? else { return Ok(Vec::new()) };
    let rows: Result<Vec<R>, _> = csv::Reader::from_reader(&text[..]).deserialize().collect();
    rows.with_context(|| path.display().to_string())
}
