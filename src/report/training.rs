//! Training runs of the models, and the calibration of the predictions.

use anyhow::Result;
use std::path::Path;

use mineflow_arena::{
    Estimate,
    numbers::{grouped, list},
};
use mineflow_tasks::{
    calibrate::{CalibrationRow, CellKind, Predictor, ScoreRow},
    training_records::{Metrics, TreesMetrics, VALIDATION_BOARDS},
};
use serde::Deserialize;

use crate::{
    data::{Data, csv_rows, json, json_lines},
    table::{as_it_stands, estimate, percent, shown, table},
};
use mineflow_tasks::plot::{Axis, Figure, Point, Scale, Series, draw};

/// The trained networks, each with its player.
const NETWORKS: [(&str, &str); 4] = [
    ("network", "network"),
    ("classifier", "5.5"),
    ("q-iterative", "6.0"),
    ("q-single", "6.5"),
];
/// Bins with fewer predictions are not drawn.
const FEWEST: u64 = 50;

/// The regression of alpha: `alpha.json` of `pipeline fit-alpha`.
#[derive(Deserialize)]
struct Alpha {
    boards: u64,
    games: u64,
    r_squared: f64,
    theta: [f64; 4],
}

/// Returns the training runs of networks: the player, with the name of the run if there are
/// several, and the metrics of the rounds.
fn metrics(data: &Data) -> Result<Vec<(String, Vec<Metrics>)>> {
    let mut metrics = Vec::new();
    for (what, player) in NETWORKS {
        for (run, folder) in data.runs(what) {
            let rounds = json_lines(&folder.join("metrics.jsonl"))?;
            metrics.push((format!("{player}{run}"), rounds));
        }
    }
    Ok(metrics)
}

/// Returns the win rate in the validation games after a round.
fn won(round: &Metrics) -> Option<Estimate> {
    let won = round.figures.won?;
    Some(estimate(won.win_ratio, won.win_low, won.win_high))
}

/// Returns a table for each run, below the name of the run if there are several.
fn of_runs(data: &Data, what: &str, table: impl Fn(&Path) -> Result<String>) -> Result<String> {
    let mut tables = Vec::new();
    for (run, folder) in data.runs(what) {
        let title = match run.trim_matches([' ', '(', ')']) {
            "" => String::new(),
            run => format!("`{run}`:\n\n"),
        };
        tables.push(title + &table(folder)?);
    }
    Ok(tables.join("\n"))
}

/// Returns sentences on a run: what was trained and played. How long it took is not the same in a
/// run that was resumed, and is not part of the report.
pub(crate) fn intro(data: &Data) -> String {
    let mut names = Vec::new();
    for (what, player) in [("trees", "5.0")].into_iter().chain(NETWORKS) {
        let runs = data.runs(what);
        names.extend(runs.iter().map(|(run, _)| format!("{player}{run}")));
    }
    let games = data.games.iter().chain(&data.grid).map(|row| row.games);
    let trained = match names.is_empty() {
        true => String::new(),
        false => format!(
            "Models were trained for {}; `cost.json` in the folder of a stage has its CPU seconds. ",
            list(&names)
        ),
    };
    let games = grouped(games.sum());
    format!("{trained}Played: {games} games. Intervals are those of 95 %.")
}

/// Returns a table with a row for each training run, which has the results of its last round and of
/// the round that won most validation games.
pub(crate) fn records(data: &Data) -> Result<String> {
    let mut rows = Vec::new();
    for (player, rounds) in metrics(data)? {
        let Some(last) = rounds.last() else { continue };
        let most = rounds
            .iter()
            .rev()
            .max_by_key(|of| of.figures.won.map(|won| won.wins));
        let best = most
            .filter(|of| of.figures.won.is_some())
            .map(|of| format!("{}: {}", of.number, shown(won(of), percent)));
        rows.push(format!(
            "{player} | {} x {}, {} rows in the last | {:.4} | {:.4} | {} | {} | {}",
            rounds.len(),
            last.round.name(),
            grouped(last.rows as u64),
            last.loss,
            last.figures.validation_loss,
            shown(won(&rounds[0]), percent),
            best.unwrap_or_default(),
            shown(won(last), percent)
        ));
    }
    for (run, folder) in data.runs("trees") {
        let rounds: Vec<TreesMetrics> = json_lines(&folder.join("metrics.jsonl"))?;
        let loss = rounds.last().map_or(f64::NAN, |last| last.validation_loss);
        rows.push(format!(
            "5.0{run} | {} trees |  | {loss:.4} |  |  | ",
            rounds.len()
        ));
    }
    let header = "player | trained for | loss | validation loss | validation games won after the first round, % | best round | last";
    let boards = list(&VALIDATION_BOARDS);
    let rows = table(header, rows);
    Ok(match rows.is_empty() {
        true => rows,
        false => format!("{rows}\nValidation games are played on {boards}.\n"),
    })
}

/// Draws charts of the networks' win rates in validation games after each round, and of calibration
/// on the boundary.
pub(crate) fn figures(data: &Data) -> Result<Vec<Figure>> {
    Ok(vec![
        ("training", progress(data)?),
        ("calibration", reliability(data)?),
    ])
}

fn progress(data: &Data) -> Result<Option<String>> {
    let mut series = Vec::new();
    for (name, rounds) in metrics(data)? {
        if rounds.len() > 1 {
            let point = |round: &Metrics| Some(Point::new(round.number as f64, won(round)?));
            series.push(Series::new(&name, rounds.iter().filter_map(point)));
        }
    }
    let x = Axis::new("episodes", Scale::Linear, 0.0, 1.0);
    let y = Axis::new("validation games won, %", Scale::Percent, 0.5, 0.8);
    Ok(draw(&x, &y, &series, false))
}

fn reliability(data: &Data) -> Result<Option<String>> {
    let mut series = Vec::new();
    for (run, folder) in data.runs("calibration") {
        let mut bins: Vec<CalibrationRow> = csv_rows(&folder.join("calibration.csv"))?;
        bins.retain(|row| {
            let is_shown = row.predictor == Predictor::Source && row.cells == CellKind::Boundary;
            is_shown && row.count >= FEWEST && !row.player.contains('+')
        });
        for bins in bins.chunk_by(|a, b| a.player == b.player) {
            let point =
                |row: &CalibrationRow| Point::new(row.predicted, Estimate::exactly(row.observed));
            let name = format!("{}{run}", bins[0].player);
            series.push(Series::new(&name, bins.iter().map(point)));
        }
    }
    let x = Axis::new("predicted: a mine, %", Scale::Percent, 0.0, 1.0);
    let y = Axis::new("observed: a mine, %", Scale::Percent, 0.0, 1.0);
    Ok(draw(&x, &y, &series, true))
}

/// Returns the table of the features that the trees of 5.0 split on.
pub(crate) fn importance(data: &Data) -> Result<String> {
    of_runs(data, "trees", |folder| {
        let columns = "feature,share_of_gain,gain_per_split,splits";
        as_it_stands(&folder.join("importance.csv"), columns)
    })
}

/// Returns the table of the regression of alpha (Sinha et al., equation 10).
pub(crate) fn alpha(data: &Data) -> Result<String> {
    of_runs(data, "alpha", |folder| {
        let of: Alpha = json(&folder.join("alpha.json"))?;
        Ok(table(
            "boards | games | p (longer side) | q (shorter side) | mine ratio | constant | R²",
            [format!(
                "{} | {} | {} | {:.3}",
                grouped(of.boards),
                grouped(of.games),
                of.theta.map(|value| format!("{value:.4}")).join(" | "),
                of.r_squared
            )],
        ))
    })
}

/// Returns the table that scores the predicted mine probabilities on the boundary.
pub(crate) fn calibration(data: &Data) -> Result<String> {
    of_runs(data, "calibration", |folder| {
        let mut rows: Vec<ScoreRow> = csv_rows(&folder.join("calibration-scores.csv"))?;
        rows.retain(|row| row.cells == CellKind::Boundary && !row.player.contains('+'));
        Ok(table(
            "player | prediction | cells | Brier score | log-loss | calibration error",
            rows.iter().map(|row| {
                let predictor = match row.predictor {
                    Predictor::Source => "P",
                    Predictor::Model => "its model",
                };
                format!(
                    "{} | {predictor} | {} | {:.4} | {:.4} | {:.4}",
                    row.player,
                    grouped(row.count),
                    row.brier_score,
                    row.log_loss,
                    row.calibration_error
                )
            }),
        ))
    })
}
