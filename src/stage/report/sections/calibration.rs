//! Are probabilities what they say?

use std::collections::BTreeMap;

use crate::appearance::appearance_of;
use crate::inputs::NamedPlayer;
use mineflow_document::chart::{Axis, Chart, DataSeries, Guide, Joining, Point};
use mineflow_document::numbers::{grouped, list, percent, with_interval};
use mineflow_document::{Estimate, Figure, PageTable, Section};
use mineflow_stage_measure::calibrate::{CalibrationRow, CellKind, ErrorRow, Predictor, ScoreRow};

/// Bins of fewer cells are not drawn.
const FEWEST: u64 = 50;

/// The tables of a calibration; `None` where the file is missing.
pub(crate) struct CalibrationTables {
    pub(crate) bins: Option<Vec<CalibrationRow>>,
    pub(crate) scores: Option<Vec<ScoreRow>>,
    pub(crate) errors: Option<Vec<ErrorRow>>,
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

/// A reliability diagram.
struct Diagram {
    id: &'static str,
    title: &'static str,
    caption: &'static str,
    /// Whose predictions of which cells it shows. Models are judged on all candidates together.
    shows: fn(Predictor, CellKind) -> bool,
}

const BOUNDARY: Diagram = Diagram {
    id: "calibration-boundary",
    title: "Reliability of P on the boundary",
    caption: "The probabilities that players weigh, on cells next to an open number.",
    shows: |predictor, cells| predictor == Predictor::Source && cells == CellKind::Boundary,
};
const MODELS: Diagram = Diagram {
    id: "calibration-models",
    title: "Reliability of the classifiers",
    caption: "The classifiers on all candidates: 1 less the safe score.",
    shows: |predictor, cells| predictor == Predictor::Model && cells != CellKind::Chosen,
};
const CHOSEN: Diagram = Diagram {
    id: "calibration-chosen",
    title: "Reliability of P of the chosen cell",
    caption: "The cell that was opened: whoever chooses the least of many estimates chooses errors too.",
    shows: |predictor, cells| predictor == Predictor::Source && cells == CellKind::Chosen,
};

impl Diagram {
    /// What it shows of the rows of a calibration.
    fn bins<'a>(&self, rows: &'a [CalibrationRow]) -> BinsByPlayer<'a> {
        let mut bins = BinsByPlayer::new();
        for row in rows.iter().filter(|row| (self.shows)(row.predictor, row.cells)) {
            // Bins of a twentieth, as the table has them; boundary and other cells of a model fall together.
            let at = ((row.predicted * 20.0) as u64).min(19);
            let counts = bins.entry(&row.player).or_default().entry(at).or_default();
            counts.count += row.count as f64;
            counts.mines += row.mines as f64;
            counts.predicted += row.count as f64 * row.predicted;
        }
        bins
    }

    /// The figure, if there are bins to draw.
    fn figure(&self, bins: &BinsByPlayer<'_>, versions: &[NamedPlayer]) -> Option<Figure> {
        let series = bins.iter().map(|(player, bins)| series(player, bins)).filter(|series| !series.points.is_empty());
        let series: Vec<_> = series.collect();
        if series.is_empty() {
            return None;
        }
        let caption =
            format!("{} Bins of a twentieth with at least {FEWEST} cells.{}", self.caption, recipes(&series, versions));
        let ratio = |label: &str| Axis::percent(label, 0.0, 1.0);
        let chart = Chart::new(self.title, ratio("predicted: a mine, %"), ratio("found: a mine, %"), series);
        Some(Figure::new(self.id, chart.with(Guide::Diagonal), caption))
    }
}

/// Scores, errors of limited P, reliability diagrams.
pub(crate) fn calibration(tables: &CalibrationTables, versions: &[NamedPlayer]) -> Section {
    let mut section = Section::new("calibration", "Calibration");
    let Some(bins) = tables.bins.as_ref().filter(|bins| !bins.is_empty()) else {
        section.miss("Missing: the table of `pipeline calibrate`.");
        return section;
    };
    section.say(
        "At every guess the predicted probability of a mine is held against the mines. A calibrated prediction lies on the dotted line. Cells of \
         one position depend on each other, so intervals are somewhat too short but for those of chosen cells.",
    );
    match &tables.scores {
        Some(rows) => {
            section.say(
                "Scores over all predictions, the less the better. The logarithm is taken of no less than 1e-6. The calibration error is the \
                 mean distance of prediction and truth over bins of a twentieth, each as often as it has cells.",
            );
            section.table(scores(rows));
        }
        None => section.miss("Missing: the scores of `pipeline calibrate`."),
    }
    if let Some(rows) = tables.errors.as_ref().filter(|rows| !rows.is_empty()) {
        section.say(
            "P of a limited walk beside P of all solutions: the mean over guesses of the mean distance on the boundary; and how often a cell to \
             which P gives 0, and which nothing proves safe, is a mine.",
        );
        section.table(errors(rows));
    }
    let (mut boundary, models) = (BOUNDARY.bins(bins), MODELS.bins(bins));
    section.say(summary(&boundary, &models));
    // A player that asks a classifier is shown with that.
    boundary.retain(|player, _| !models.contains_key(player));
    let diagrams = [(BOUNDARY, boundary), (MODELS, models), (CHOSEN, CHOSEN.bins(bins))];
    diagrams
        .iter()
        .filter_map(|(diagram, bins)| diagram.figure(bins, versions))
        .for_each(|figure| section.figure(figure));
    section
}

/// The recipes of the players that are shown.
fn recipes(series: &[DataSeries], versions: &[NamedPlayer]) -> String {
    let recipe = |series: &DataSeries| {
        let version = versions.iter().find(|version| version.name == series.name)?;
        Some(format!(" {} is `{}`.", version.name, version.recipe))
    };
    series.iter().filter_map(recipe).collect()
}

fn series(player: &str, bins: &BTreeMap<u64, BinCounts>) -> DataSeries {
    let drawn = bins.values().filter(|bin| bin.count >= FEWEST as f64);
    let point =
        |bin: &BinCounts| Point::along_y(bin.predicted / bin.count, Estimate::wilson(bin.mines / bin.count, bin.count));
    DataSeries::new(player, appearance_of(player), Joining::Line, drawn.map(point))
}

/// The mean distance of prediction and truth, 0 to 1: the expected calibration error.
fn error(bins: &BTreeMap<u64, BinCounts>) -> f64 {
    let apart: f64 = bins.values().map(|bin| (bin.predicted - bin.mines).abs()).sum();
    apart / bins.values().map(|bin| bin.count).sum::<f64>()
}

fn summary(boundary: &BinsByPlayer<'_>, models: &BinsByPlayer<'_>) -> String {
    let errors = |what: &'static str, bins: &BinsByPlayer<'_>| -> Vec<_> {
        bins.iter().map(|(player, bins)| (error(bins), format!("{what} {player}"))).collect()
    };
    let mut errors = [errors("P of", boundary), errors("the classifier of", models)].concat();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let named: Vec<_> = errors.iter().map(|(error, what)| format!("{what} {} points", percent(*error))).collect();
    format!(
        "Mean distance of prediction and truth, best first (P on the boundary, classifiers everywhere): {}.",
        list(&named)
    )
}

fn scores(rows: &[ScoreRow]) -> PageTable {
    PageTable::of(rows)
        .left("player", |row| row.player.clone())
        .left("prediction", |row| words(row.predictor, row.cells).to_owned())
        .right("cells", |row| grouped(row.count))
        .right("Brier score", |row| format!("{:.4}", row.brier_score))
        .right("log-loss", |row| format!("{:.4}", row.log_loss))
        .right("calibration error", |row| format!("{:.4}", row.calibration_error))
        .into()
}

fn errors(rows: &[ErrorRow]) -> PageTable {
    PageTable::of(rows)
        .left("player", |row| row.player.clone())
        .left("board", |row| row.board.clone())
        .right("guesses", |row| grouped(row.guesses))
        .right("mean error of P", |row| row.mean_error.map_or(String::new(), |error| format!("{error:.4}")))
        .right("cells with P = 0", |row| grouped(row.zero_cells))
        .right("mines among them, %", |row| row.mines_at_zero().map_or(String::new(), with_interval))
        .into()
}
