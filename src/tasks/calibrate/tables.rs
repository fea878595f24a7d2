//! The tables of a calibration: rows, files and the text for the terminal.

use serde::{Deserialize, Serialize};

use crate::{Answer, json_lines};
use mineflow_arena::{
    TableOf, Text,
    numbers::{grouped, round},
    to_csv,
};
use mineflow_store::named;

/// The files of the tables; the bins come first.
pub(super) const RESULTS: &[&str; 2] = &["calibration.csv", "calibration-scores.csv"];

/// The source of a mine probability.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Predictor {
    /// The probabilities by which the player chooses.
    Source,
    /// 1 minus the safe score of the player's classifier.
    Model,
}

/// The kind of cell that a prediction is for. A chosen cell also counts as `Boundary` or
/// `Elsewhere`.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellKind {
    /// A candidate next to an open number.
    Boundary,
    /// A candidate that is not next to an open number.
    Elsewhere,
    /// The cell that was opened.
    Chosen,
}

named!(Predictor, "predictor": Source = "source", Model = "model");

named!(CellKind, "kind of cells": Boundary = "boundary", Elsewhere = "elsewhere", Chosen = "chosen");

/// A row of `calibration.csv`: the candidates of one kind whose predicted mine probability lies in
/// one bin. Empty bins have no row.
#[derive(Clone, Serialize, Deserialize)]
pub struct CalibrationRow {
    pub player: String,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; empty in tables
    /// from before versions were recorded.
    #[serde(default)]
    pub version: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    /// Low end of the bin, inclusive. The high end is exclusive, except for the last bin.
    pub bin_low: f64,
    pub bin_high: f64,
    pub count: u64,
    pub mines: u64,
    /// Mean predicted mine probability.
    pub predicted: f64,
    /// Observed share of mines among the cells.
    pub observed: f64,
}

/// A row of `calibration-scores.csv`: one predictor of a player on one kind of cell, on all boards.
#[derive(Clone, Serialize, Deserialize)]
pub struct ScoreRow {
    pub player: String,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; empty in tables
    /// from before versions were recorded.
    #[serde(default)]
    pub version: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    pub count: u64,
    /// Brier score: mean squared difference between the prediction and the outcome (1 for a mine, 0
    /// for a safe cell).
    pub brier_score: f64,
    /// Log loss: mean of minus the natural logarithm of the probability given to the outcome,
    /// clamped to 1e-6 and 1 - 1e-6.
    pub log_loss: f64,
    /// Expected calibration error: mean distance between the predicted and the observed mine rate
    /// over the bins, weighted by the number of cells in each bin.
    pub calibration_error: f64,
}

/// The result of a calibration.
pub struct Tables {
    pub scores: Vec<ScoreRow>,
    pub bins: Vec<CalibrationRow>,
}

/// A row of one of the tables, tagged with the table's name.
#[derive(Clone, Copy, Serialize)]
#[serde(tag = "table", rename_all = "lowercase")]
pub enum TableRow<'a> {
    Scores(&'a ScoreRow),
    Bins(&'a CalibrationRow),
}

impl Answer for Tables {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(self.rows())
    }

    fn text(&self) -> Text {
        scores(&self.scores).then("\n").then(bins(&self.bins))
    }
}

impl Tables {
    /// Returns all rows: first the scores, then the bins.
    pub fn rows(&self) -> impl Iterator<Item = TableRow<'_>> {
        let scores = self.scores.iter().map(TableRow::Scores);
        scores.chain(self.bins.iter().map(TableRow::Bins))
    }

    /// Returns the name and the CSV content of each table's file.
    pub(super) fn files(&self) -> anyhow::Result<[(&'static str, Vec<u8>); 2]> {
        let [bins, scores] = RESULTS;
        Ok([(scores, to_csv(&self.scores)?), (bins, to_csv(&self.bins)?)])
    }
}

/// Rounds a number to six decimals, as in the tables.
pub(super) fn rounded(value: f64) -> f64 {
    round(value, 6)
}

fn scores(rows: &[ScoreRow]) -> Text {
    TableOf::new(rows)
        .left("player", |row| &row.player)
        .left("predictor", |row| row.predictor.name())
        .left("cells", |row| row.cells.name())
        .right("count", |row| grouped(row.count))
        .right("Brier score", |row| format!("{:.4}", row.brier_score))
        .right("log-loss", |row| format!("{:.4}", row.log_loss))
        .right("calibration error", |row| {
            format!("{:.4}", row.calibration_error)
        })
        .text()
}

fn bins(rows: &[CalibrationRow]) -> Text {
    TableOf::new(rows)
        .left("player", |row| &row.player)
        .left("predictor", |row| row.predictor.name())
        .left("cells", |row| row.cells.name())
        .left("bin", |row| {
            format!("{:.2} - {:.2}", row.bin_low, row.bin_high)
        })
        .right("count", |row| grouped(row.count))
        .right("predicted", |row| format!("{:.4}", row.predicted))
        .right("observed", |row| format!("{:.4}", row.observed))
        .text()
}
