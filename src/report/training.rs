//! Training runs of the models, and the calibration of the predictions.

use std::path::Path;

use mineflow_arena::numbers::{grouped, list};
use mineflow_tasks::calibrate::{CalibrationRow, CellKind, Predictor, ScoreRow};
use mineflow_tasks::training_records::{Metrics, TreesMetrics, VALIDATION_BOARDS};
use serde::Deserialize;

use crate::data::{Data, csv_rows, json, json_lines};
use crate::plot::{Axis, Point, Scale, Series, draw};
use crate::table::{as_it_stands, estimate, exactly, percent, shown, table};

/// The trained networks, each with its player.
const NETWORKS: [(&str, &str); 3] = [
    ("classifier", "5.5"),
    ("q-iterative", "6.0"),
    ("q-single", "6.5"),
];
/// Bins with fewer predictions are not drawn.
const FEWEST: u64 = 50;

/// Returns the training runs of networks: the player, with the name of the run if there are several, and the metrics of the rounds.
fn metrics(data: &Data) -> anyhow::Result<Vec<(String, Vec<Metrics>)>> {
    let runs = NETWORKS.iter().flat_map(|(what, player)| {
        let runs = data.runs(what).into_iter();
        runs.map(move |(run, folder)| {
            Ok((
                format!("{player}{run}"),
                json_lines(&folder.join("metrics.jsonl"))?,
            ))
        })
    });
    runs.collect()
}

/// Returns a table for each run, below the name of the run if there are several.
fn of_runs(
    data: &Data,
    what: &str,
    table: impl Fn(&Path) -> anyhow::Result<String>,
) -> anyhow::Result<String> {
    let tables = data.runs(what).into_iter().map(|(run, folder)| {
        let title = match run.trim_matches([' ', '(', ')']) {
            "" => String::new(),
            run => format!("`{run}`:\n\n"),
        };
        Ok(title + &table(folder)?)
    });
    Ok(tables.collect::<anyhow::Result<Vec<_>>>()?.join("\n"))
}

/// Returns a table with a row for each training run, which has the results of its last round.
pub(crate) fn records(data: &Data) -> anyhow::Result<String> {
    let mut rows = Vec::new();
    for (player, rounds) in metrics(data)? {
        let Some(last) = rounds.last() else { continue };
        let won = last
            .figures
            .won
            .map(|won| estimate(won.win_ratio, won.win_low, won.win_high));
        let (kind, rows_of_last, losses) = (
            last.round.name(),
            grouped(last.rows as u64),
            [last.loss, last.figures.validation_loss],
        );
        let losses = losses.map(|loss| format!("{loss:.4}")).join(" | ");
        rows.push(format!(
            "{player} | {} x {kind}, {rows_of_last} rows in the last | {losses} | {}",
            rounds.len(),
            shown(won, percent)
        ));
    }
    for (run, folder) in data.runs("trees") {
        let rounds: Vec<TreesMetrics> = json_lines(&folder.join("metrics.jsonl"))?;
        let loss = rounds.last().map_or(f64::NAN, |last| last.validation_loss);
        rows.push(format!(
            "5.0{run} | {} trees |  | {loss:.4} | ",
            rounds.len()
        ));
    }
    Ok(table(
        &format!(
            "player | trained for | loss | validation loss | validation games won on {}, %",
            list(&VALIDATION_BOARDS)
        ),
        rows,
    ))
}

/// Draws charts of the networks' win rates in validation games after each round, and of calibration on the boundary.
pub(crate) fn figures(data: &Data) -> anyhow::Result<Vec<(&'static str, String)>> {
    let mut figures = Vec::new();
    let point = |round: &Metrics| {
        let won = round.figures.won?;
        Some(Point::new(
            round.number as f64,
            estimate(won.win_ratio, won.win_low, won.win_high),
        ))
    };
    let several = metrics(data)?
        .into_iter()
        .filter(|(_, rounds)| rounds.len() > 1);
    let line = |(name, rounds): (String, Vec<Metrics>)| {
        let points = rounds.iter().filter_map(point).collect();
        Series {
            name,
            points,
            joined: true,
        }
    };
    let series: Vec<Series> = several.map(line).collect();
    let last = series
        .iter()
        .flat_map(|series| &series.points)
        .map(|point| point.x)
        .fold(1.0, f64::max);
    if last > 1.0 {
        let x = Axis {
            label: "episodes",
            scale: Scale::Linear,
            ends: (0.0, last),
        };
        let y = Axis {
            label: "validation games won, %",
            scale: Scale::Percent,
            ends: (0.5, 0.8),
        };
        figures.push(("training", draw(&x, &y, &series, false)));
    }
    let mut series = Vec::new();
    for (run, folder) in data.runs("calibration") {
        let mut bins: Vec<CalibrationRow> = csv_rows(&folder.join("calibration.csv"))?;
        bins.retain(|row| {
            row.predictor == Predictor::Source
                && row.cells == CellKind::Boundary
                && row.count >= FEWEST
        });
        let names = bins.iter().map(|row| &*row.player);
        let mut players: Vec<&str> = names.filter(|player| !player.contains('+')).collect();
        players.dedup();
        series.extend(players.iter().map(|player| {
            let rows = bins.iter().filter(|row| row.player == *player);
            let points = rows.map(|row| Point::new(row.predicted, exactly(row.observed)));
            Series {
                name: format!("{player}{run}"),
                points: points.collect(),
                joined: true,
            }
        }));
    }
    if !series.is_empty() {
        let axis = |label| Axis {
            label,
            scale: Scale::Percent,
            ends: (0.0, 1.0),
        };
        let (x, y) = (axis("predicted: a mine, %"), axis("observed: a mine, %"));
        figures.push(("calibration", draw(&x, &y, &series, true)));
    }
    Ok(figures)
}

/// Returns the table of the features that the trees of 5.0 split on.
pub(crate) fn importance(data: &Data) -> anyhow::Result<String> {
    of_runs(data, "trees", |folder| {
        let columns = "feature,share_of_gain,gain_per_split,splits";
        as_it_stands(&folder.join("importance.csv"), columns)
    })
}

/// Returns the table of the regression of alpha (Sinha et al., equation 10).
pub(crate) fn alpha(data: &Data) -> anyhow::Result<String> {
    #[derive(Deserialize)]
    struct Alpha {
        boards: u64,
        games: u64,
        r_squared: f64,
        theta: [f64; 4],
    }
    of_runs(data, "alpha", |folder| {
        let Alpha {
            boards,
            games,
            r_squared,
            theta,
        } = json(&folder.join("alpha.json"))?;
        let theta = theta.map(|value| format!("{value:.4}")).join(" | ");
        let row = format!(
            "{} | {} | {theta} | {r_squared:.3}",
            grouped(boards),
            grouped(games)
        );
        Ok(table(
            "boards | games | p (longer side) | q (shorter side) | mine ratio | constant | R²",
            [row],
        ))
    })
}

/// Returns the table that scores the predicted mine probabilities on the boundary.
pub(crate) fn calibration(data: &Data) -> anyhow::Result<String> {
    of_runs(data, "calibration", |folder| {
        let mut rows: Vec<ScoreRow> = csv_rows(&folder.join("calibration-scores.csv"))?;
        rows.retain(|row| row.cells == CellKind::Boundary && !row.player.contains('+'));
        let row = |row: &ScoreRow| {
            let what = if row.predictor == Predictor::Source {
                "P"
            } else {
                "its model"
            };
            let scores = [row.brier_score, row.log_loss, row.calibration_error]
                .map(|score| format!("{score:.4}"));
            format!(
                "{} | {what} | {} | {}",
                row.player,
                grouped(row.count),
                scores.join(" | ")
            )
        };
        Ok(table(
            "player | prediction | cells | Brier score | log-loss | calibration error",
            rows.iter().map(row),
        ))
    })
}
