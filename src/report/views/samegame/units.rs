//! How many points are a reward of 1? Table 2 with each answer.

use std::collections::BTreeMap;

use super::super::Request;
use super::result::{SamegameResult, read};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;

/// The settings of table 2.
const SETTINGS: [&str; 3] = ["exploitation", "balanced", "exploration"];

/// A row for each `unit` with which all settings of table 2 were run: the mean and the average depth of each, and how far they are `off` the
/// paper's: the root mean square of the logarithms of their ratios, six of equal weight. Facts: the `nearest` unit.
pub(in crate::views) fn units(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let mut of_units: BTreeMap<u64, Vec<&SamegameResult>> = BTreeMap::new();
    for result in &results {
        if let Ok(unit) = result.option("unit", "100").parse() {
            of_units.entry(unit).or_default().push(result);
        }
    }
    let rows: Vec<Row> = of_units
        .into_iter()
        .filter_map(|(unit, results)| row(unit, &results))
        .collect();
    let nearest = rows
        .iter()
        .min_by(|a, b| a.by("off", b))
        .and_then(|row| row.number("unit"));
    let facts = Row::default().with("nearest", nearest);
    Ok(Data::of(rows).facts(facts))
}

fn row(unit: u64, results: &[&SamegameResult]) -> Option<Row> {
    let (mut row, mut squares) = (Row::default().with("unit", unit as f64), 0.0);
    for name in SETTINGS {
        let result = results
            .iter()
            .find(|result| result.setting().as_deref() == Some(name))?;
        let paper = result.in_table_2()?;
        for (quantity, here) in [("mean", result.row.mean), ("depth", result.row.mean_depth?)] {
            let in_paper = paper.number(quantity)?;
            row = row.with(&format!("{name}-{quantity}"), here);
            squares += f64::powi(f64::ln(here / in_paper), 2);
        }
    }
    Some(row.with("off", (squares / (2.0 * SETTINGS.len() as f64)).sqrt()))
}
