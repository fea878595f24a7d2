//! The tables of a calibration: their rows, their files, and how they look to people.

use serde::{Deserialize, Serialize};

use crate::{Answer, json_lines};
use mineflow_arena::numbers::{grouped, percent};
use mineflow_arena::{Estimate, TableOf, numbers::round, to_csv};

/// The tables, that of the bins first.
pub(super) const RESULTS: &[&str; 3] = &[
    "calibration.csv",
    "calibration-scores.csv",
    "calibration-errors.csv",
];

/// Who predicts how likely a mine is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Predictor {
    /// The probabilities that the player weighs.
    Source,
    /// 1 less the safe score of the classifier that it asks.
    Model,
}

/// What cell a prediction is of. Chosen cells are among the others as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellKind {
    /// A candidate next to an open number.
    Boundary,
    /// Any other candidate.
    Elsewhere,
    /// The cell that was opened.
    Chosen,
}

impl Predictor {
    /// As tables write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Model => "model",
        }
    }
}

impl CellKind {
    /// As tables write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Boundary => "boundary",
            Self::Elsewhere => "elsewhere",
            Self::Chosen => "chosen",
        }
    }
}

/// A row of the table: the candidates of one kind whose predicted probability of a mine lies in one bin. Bins without any have no row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CalibrationRow {
    pub player: String,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; empty in tables made before it was noted.
    #[serde(default)]
    pub version: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    /// The bin holds its low end, and the last one its high end.
    pub bin_low: f64,
    pub bin_high: f64,
    pub count: u64,
    pub mines: u64,
    /// Mean of the predictions, and mines per cell.
    pub predicted: f64,
    pub observed: f64,
}

/// A row of the table of scores: one predictor of a player on one kind of cells, on all boards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreRow {
    pub player: String,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; empty in tables made before it was noted.
    #[serde(default)]
    pub version: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    pub count: u64,
    /// Mean of the squared distance of the prediction from 1 for a mine and from 0 for none.
    pub brier_score: f64,
    /// Mean of minus the natural logarithm of the probability given to what is there, held between 1e-6 and 1 less 1e-6.
    pub log_loss: f64,
    /// Mean distance of the prediction and the share of mines over the bins, each as often as it has cells.
    pub calibration_error: f64,
}

/// A row of the table of errors: how far a limited walk's P is from that of all solutions, for one player on one board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorRow {
    pub player: String,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; empty in tables made before it was noted.
    #[serde(default)]
    pub version: String,
    pub board: String,
    pub guesses: u64,
    /// Mean over the guesses with a boundary of the mean of |P - exact P| over its cells; none if there was no such guess.
    pub mean_error: Option<f64>,
    /// Cells of the boundary with P = 0, none of them proved safe, at all guesses; those of them that are mines.
    pub zero_cells: u64,
    pub zero_mines: u64,
    /// The second as a share of the first, with the ends of its 95 % interval (Wilson). A cell counts at every guess at which it is
    /// there, so the interval is somewhat too short.
    pub share: Option<f64>,
    pub ci_low: f64,
    pub ci_high: f64,
}

/// What came of a calibration.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    pub scores: Vec<ScoreRow>,
    /// Of the players whose P comes from a limited walk.
    pub errors: Vec<ErrorRow>,
    pub bins: Vec<CalibrationRow>,
}

/// A row of one of the tables, as an object that says of which.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "table", rename_all = "lowercase")]
pub enum TableRow<'a> {
    Scores(&'a ScoreRow),
    Errors(&'a ErrorRow),
    Bins(&'a CalibrationRow),
}

impl Answer for Tables {
    fn json(&self) -> serde_json::Result<String> {
        json_lines(self.rows())
    }

    fn text(&self) -> String {
        let errors = if self.errors.is_empty() {
            String::new()
        } else {
            errors(&self.errors) + "\n"
        };
        format!("{}\n{errors}{}", scores(&self.scores), bins(&self.bins))
    }
}

impl Tables {
    /// All rows: scores, errors, bins.
    pub fn rows(&self) -> impl Iterator<Item = TableRow<'_>> {
        let errors = self.errors.iter().map(TableRow::Errors);
        self.scores
            .iter()
            .map(TableRow::Scores)
            .chain(errors)
            .chain(self.bins.iter().map(TableRow::Bins))
    }

    /// Their files. A table without rows is an empty one.
    pub(super) fn files(&self) -> anyhow::Result<[(&'static str, Vec<u8>); 3]> {
        let [bins, scores, errors] = RESULTS;
        Ok([
            (scores, to_csv(&self.scores)?),
            (errors, to_csv(&self.errors)?),
            (bins, to_csv(&self.bins)?),
        ])
    }
}

/// A number of the table, with as many decimals as it has there.
pub(super) fn rounded(value: f64) -> f64 {
    round(value, 6)
}

fn scores(rows: &[ScoreRow]) -> String {
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

fn errors(rows: &[ErrorRow]) -> String {
    TableOf::new(rows)
        .left("player", |row| &row.player)
        .left("board", |row| &row.board)
        .right("guesses", |row| grouped(row.guesses))
        .right("mean error of P", |row| {
            row.mean_error
                .map_or(String::new(), |error| format!("{error:.4}"))
        })
        .right("cells with P = 0", |row| grouped(row.zero_cells))
        .right("mines", |row| grouped(row.zero_mines))
        .right("mines %", |row| row.share.map_or(String::new(), percent))
        .right("95 % interval", |row| {
            format!("{} - {}", percent(row.ci_low), percent(row.ci_high))
        })
        .text()
}

fn bins(rows: &[CalibrationRow]) -> String {
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

impl ErrorRow {
    /// The share of mines among the cells with P = 0, with its interval, if there are any.
    pub fn mines_at_zero(&self) -> Option<Estimate> {
        self.share.map(|value| Estimate {
            value,
            low: self.ci_low,
            high: self.ci_high,
        })
    }
}
