//! What `pipeline calibrate` writes: are probabilities what they say?

use std::collections::BTreeMap;

use super::{Request, unique};
use crate::data::Data;
use crate::error::ReportError;
use crate::files::{csv_rows, ratio};
use crate::row::Row;
use mineflow_arena::Estimate;
use mineflow_arena::numbers::{list, percent};
use mineflow_tasks::calibrate::{CalibrationRow, CellKind, ErrorRow, Predictor, ScoreRow};

/// Bins of fewer cells are not drawn.
const FEWEST: f64 = 50.0;

/// A diagram, and which rows it shows.
type Diagram = (&'static str, fn(&CalibrationRow) -> bool);

/// The diagrams: whose predictions of which cells each shows. Models are judged on all candidates together.
const DIAGRAMS: [Diagram; 3] = [
    ("boundary", |row| {
        row.predictor == Predictor::Source && row.cells == CellKind::Boundary
    }),
    ("models", |row| {
        row.predictor == Predictor::Model && row.cells != CellKind::Chosen
    }),
    ("chosen", |row| {
        row.predictor == Predictor::Source && row.cells == CellKind::Chosen
    }),
];

/// Counts of one bin.
#[derive(Clone, Copy, Default)]
struct BinCounts {
    count: f64,
    mines: f64,
    /// Sum of the predictions.
    predicted: f64,
}

/// The bins of each player that are drawn together, in their order.
type BinsByPlayer<'a> = BTreeMap<&'a str, BTreeMap<u64, BinCounts>>;

/// A row for each bin of a player in a `diagram`: `predicted` and `found`. Facts: the recipes of those that a diagram shows, and mean
/// `distances` of prediction and truth.
pub(super) fn bins(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| csv_rows(path, check_bin))?;
    let [mut boundary, models, chosen] = DIAGRAMS.map(|(_, shows)| by_player(&rows, shows));
    let mut facts = Row::default().with("distances", distances(&boundary, &models));
    // A player that asks a classifier is shown with that.
    boundary.retain(|player, _| !models.contains_key(player));
    let mut drawn = Vec::new();
    for ((diagram, _), bins) in DIAGRAMS.iter().zip([boundary, models, chosen]) {
        let rows = bins
            .iter()
            .flat_map(|(player, bins)| points(diagram, player, bins));
        let rows: Vec<_> = rows.collect();
        let recipe = |player: &str| {
            let version = request
                .sources
                .inputs
                .versions
                .iter()
                .find(|version| version.name == player)?;
            Some(format!(" {} is `{}`.", version.name, version.recipe))
        };
        let recipes = unique(rows.iter().map(|row| row.text("player")))
            .into_iter()
            .filter_map(recipe);
        facts = facts.with(&format!("recipes-{diagram}"), recipes.collect::<String>());
        drawn.extend(rows);
    }
    Ok(Data::of(drawn).facts(facts))
}

fn points(diagram: &str, player: &str, bins: &BTreeMap<u64, BinCounts>) -> Vec<Row> {
    let drawn = bins.values().filter(|bin| bin.count >= FEWEST);
    let row = |bin: &BinCounts| {
        let found = Estimate::wilson(bin.mines / bin.count, bin.count);
        let row = Row::default()
            .with("diagram", diagram)
            .with("player", player);
        row.with("predicted", bin.predicted / bin.count)
            .with("found", found)
    };
    drawn.map(row).collect()
}

fn check_bin(bin: &CalibrationRow) -> Result<(), String> {
    ratio("predicted", bin.predicted)?;
    if bin.count == 0 || bin.mines > bin.count {
        return Err(format!("{} mines among {} cells", bin.mines, bin.count));
    }
    Ok(())
}

fn by_player(rows: &[CalibrationRow], shows: fn(&CalibrationRow) -> bool) -> BinsByPlayer<'_> {
    let mut bins = BinsByPlayer::new();
    for row in rows.iter().filter(|row| shows(row)) {
        // Bins of a twentieth, as the table has them; boundary and other cells of a model fall together.
        let at = ((row.predicted * 20.0) as u64).min(19);
        let counts = bins.entry(&row.player).or_default().entry(at).or_default();
        counts.count += row.count as f64;
        counts.mines += row.mines as f64;
        counts.predicted += row.count as f64 * row.predicted;
    }
    bins
}

/// The mean distance of prediction and truth of everybody, the least first: the expected calibration error.
fn distances(boundary: &BinsByPlayer<'_>, models: &BinsByPlayer<'_>) -> String {
    let distance = |bins: &BTreeMap<u64, BinCounts>| {
        let apart: f64 = bins
            .values()
            .map(|bin| (bin.predicted - bin.mines).abs())
            .sum();
        apart / bins.values().map(|bin| bin.count).sum::<f64>()
    };
    let of = |what: &'static str, bins: &BinsByPlayer<'_>| -> Vec<_> {
        bins.iter()
            .map(|(player, bins)| (distance(bins), format!("{what} {player}")))
            .collect()
    };
    let mut all = [of("P of", boundary), of("the classifier of", models)].concat();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let named: Vec<_> = all
        .iter()
        .map(|(distance, what)| format!("{what} {} points", percent(*distance)))
        .collect();
    list(&named)
}

/// Scores as they are, with the `prediction` in words.
pub(super) fn scores(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| {
        csv_rows(path, |score: &ScoreRow| {
            ratio("brier_score", score.brier_score)?;
            ratio("calibration_error", score.calibration_error)?;
            if score.log_loss >= 0.0 {
                Ok(())
            } else {
                Err(format!("log_loss is {}", score.log_loss))
            }
        })
    })?;
    Ok(Data::of(
        rows.iter()
            .map(|row| Row::of(row).with("prediction", words(row.predictor, row.cells)))
            .collect(),
    ))
}

/// A predictor and its cells in words.
const fn words(predictor: Predictor, cells: CellKind) -> &'static str {
    match (predictor, cells) {
        (Predictor::Source, CellKind::Boundary) => "P on the boundary",
        (Predictor::Source, CellKind::Elsewhere) => "P elsewhere",
        (Predictor::Source, CellKind::Chosen) => "P of the chosen cell",
        (Predictor::Model, CellKind::Boundary) => "classifier on the boundary",
        (Predictor::Model, CellKind::Elsewhere) => "classifier elsewhere",
        (Predictor::Model, CellKind::Chosen) => "classifier, the chosen cell",
    }
}

/// Errors of limited P as they are, with the share of `mines` among the cells with P = 0.
pub(super) fn errors(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| csv_rows(path, check_error))?;
    let row = |row: &ErrorRow| Row::of(row).with("mines", row.mines_at_zero());
    Ok(Data::of(rows.iter().map(row).collect()))
}

fn check_error(row: &ErrorRow) -> Result<(), String> {
    row.mean_error
        .map_or(Ok(()), |error| ratio("mean_error", error))?;
    row.share.map_or(Ok(()), |share| ratio("share", share))?;
    ratio("ci_low", row.ci_low)?;
    ratio("ci_high", row.ci_high)?;
    if row.zero_mines > row.zero_cells {
        return Err(format!(
            "{} mines among {} cells",
            row.zero_mines, row.zero_cells
        ));
    }
    Ok(())
}
