//! Are probabilities what they say?

use std::collections::BTreeMap;

use crate::document::Estimate;
use crate::document::chart::{Axis, Chart, ErrorBar, Guide, Join, Point, Series};
use crate::document::numbers::{grouped, list, percent, with_interval};
use crate::document::{Align, Block, Figure, Section, Table};
use crate::stage::report::Version;
use crate::stage::report::looks::look_of;
use crate::stage::report::read::{Bin, Cells, LimitedP, Predictor, Score};

/// Bins of fewer cells are not drawn.
const FEWEST: u64 = 50;

/// What is judged: a predictor of a player on some cells. Models are judged on all candidates together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    SourceOnBoundary,
    SourceElsewhere,
    SourceChosen,
    Model,
    ModelChosen,
}

/// The tables of a calibration, those that are there.
pub(crate) struct CalibrationTables {
    pub(crate) bins: Option<Vec<Bin>>,
    pub(crate) scores: Option<Vec<Score>>,
    pub(crate) limited_p: Option<Vec<LimitedP>>,
}

impl Kind {
    const fn of(predictor: Predictor, cells: Cells) -> Self {
        match (predictor, cells) {
            (Predictor::Source, Cells::Boundary) => Self::SourceOnBoundary,
            (Predictor::Source, Cells::Elsewhere) => Self::SourceElsewhere,
            (Predictor::Source, Cells::Chosen) => Self::SourceChosen,
            (Predictor::Model, Cells::Boundary | Cells::Elsewhere) => Self::Model,
            (Predictor::Model, Cells::Chosen) => Self::ModelChosen,
        }
    }
}

/// What a predictor says of which cells.
const fn words(predictor: Predictor, cells: Cells) -> &'static str {
    match (predictor, cells) {
        (Predictor::Source, Cells::Boundary) => "P on the boundary",
        (Predictor::Source, Cells::Elsewhere) => "P elsewhere",
        (Predictor::Source, Cells::Chosen) => "P of the chosen cell",
        (Predictor::Model, Cells::Boundary) => "classifier on the boundary",
        (Predictor::Model, Cells::Elsewhere) => "classifier elsewhere",
        (Predictor::Model, Cells::Chosen) => "classifier, the chosen cell",
    }
}

/// Counts of one bin, or of several.
#[derive(Clone, Copy, Default)]
struct Counted {
    count: f64,
    mines: f64,
    /// Sum of the predictions.
    predicted: f64,
}

/// Bins by kind and player, in the order of the bins.
type Judged<'a> = BTreeMap<(Kind, &'a str), BTreeMap<u64, Counted>>;

/// Scores, errors of limited P, reliability diagrams.
pub(crate) fn calibration(tables: &CalibrationTables, versions: &[Version]) -> Section {
    let mut section = Section::new("calibration", "Calibration");
    let Some(bins) = tables.bins.as_ref().filter(|bins| !bins.is_empty()) else {
        section.blocks.push(Block::Missing("Missing: the table of `pipeline calibrate`.".to_owned()));
        return section;
    };
    let mut judged: Judged<'_> = BTreeMap::new();
    for bin in bins {
        let kind = Kind::of(bin.predictor, bin.cells);
        // Bins of a twentieth, as the table has them; boundary and other cells of a model fall together.
        let at = ((bin.predicted * 20.0) as u64).min(19);
        let counted = judged.entry((kind, &bin.player)).or_default().entry(at).or_default();
        counted.count += bin.count as f64;
        counted.mines += bin.mines as f64;
        counted.predicted += bin.count as f64 * bin.predicted;
    }
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
            section.blocks.push(Block::Table(scores(rows)));
        }
        None => section.blocks.push(Block::Missing("Missing: the scores of `pipeline calibrate`.".to_owned())),
    }
    if let Some(rows) = tables.limited_p.as_ref().filter(|rows| !rows.is_empty()) {
        section.say(
            "P of a limited walk beside P of all solutions: the mean over guesses of the mean distance on the boundary; and how often a cell to \
             which P gives 0, and which nothing proves safe, is a mine.",
        );
        section.blocks.push(Block::Table(errors(rows)));
    }
    section.say(summary(&judged));
    for (kind, id, title, caption) in [
        (
            Kind::SourceOnBoundary,
            "calibration-boundary",
            "Reliability of P on the boundary",
            "The probabilities that players weigh, on cells next to an open number.",
        ),
        (
            Kind::Model,
            "calibration-models",
            "Reliability of the classifiers",
            "The classifiers on all candidates: 1 less the safe score.",
        ),
        (
            Kind::SourceChosen,
            "calibration-chosen",
            "Reliability of P of the chosen cell",
            "The cell that was opened: whoever chooses the least of many estimates chooses errors too.",
        ),
    ] {
        let of_kind: Vec<_> = judged.iter().filter(|((other, _), _)| *other == kind).collect();
        let is_new = |player: &str| kind != Kind::SourceOnBoundary || !judged.contains_key(&(Kind::Model, player));
        let series: Vec<_> = of_kind
            .iter()
            .filter(|((_, player), _)| is_new(player))
            .map(|((_, player), bins)| series(player, bins))
            .collect();
        let series: Vec<_> = series.into_iter().filter(|series| !series.points.is_empty()).collect();
        if !series.is_empty() {
            let recipes = recipes(&series, versions);
            let chart = Chart {
                title: title.to_owned(),
                x: Axis::percent("predicted: a mine, %", 0.0, 1.0),
                y: Axis::percent("found: a mine, %", 0.0, 1.0),
                series,
                guides: vec![Guide::Diagonal],
            };
            let caption = format!("{caption} Bins of a twentieth with at least {FEWEST} cells.{recipes}");
            section.blocks.push(Figure { id: id.to_owned(), chart, caption, findings: Vec::new() }.block());
        }
    }
    section
}

/// The recipes of the players that are shown.
fn recipes(series: &[Series], versions: &[Version]) -> String {
    let recipe = |series: &Series| {
        let version = versions.iter().find(|version| version.name == series.name)?;
        Some(format!(" {} is `{}`.", version.name, version.recipe))
    };
    series.iter().filter_map(recipe).collect()
}

fn series(player: &str, bins: &BTreeMap<u64, Counted>) -> Series {
    let point = |bin: &Counted| {
        let found = Estimate::wilson(bin.mines / bin.count, bin.count);
        Point { x: bin.predicted / bin.count, y: found.value, error: Some(ErrorBar::Y(found.low, found.high)) }
    };
    Series {
        name: player.to_owned(),
        look: look_of(player),
        join: Join::Line,
        points: bins.values().filter(|bin| bin.count >= FEWEST as f64).map(point).collect(),
    }
}

/// The mean distance of prediction and truth, 0 to 1: the expected calibration error.
fn error(bins: &BTreeMap<u64, Counted>) -> f64 {
    let apart: f64 = bins.values().map(|bin| (bin.predicted - bin.mines).abs()).sum();
    apart / total(bins).count
}

fn total(bins: &BTreeMap<u64, Counted>) -> Counted {
    bins.values().fold(Counted::default(), |sum, bin| Counted {
        count: sum.count + bin.count,
        mines: sum.mines + bin.mines,
        predicted: sum.predicted + bin.predicted,
    })
}

fn summary(judged: &Judged<'_>) -> String {
    let mut errors: Vec<_> = judged
        .iter()
        .filter(|((kind, _), _)| matches!(kind, Kind::SourceOnBoundary | Kind::Model))
        .map(|((kind, player), bins)| (error(bins), *kind, *player))
        .collect();
    errors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let name = |&(error, kind, player): &(f64, Kind, &str)| {
        let what = if kind == Kind::Model { "the classifier of" } else { "P of" };
        format!("{what} {player} {} points", percent(error))
    };
    let named: Vec<_> = errors.iter().map(name).collect();
    format!(
        "Mean distance of prediction and truth, best first (P on the boundary, classifiers everywhere): {}.",
        list(&named)
    )
}

fn scores(rows: &[Score]) -> Table {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("prediction", Align::Left),
        ("cells", Align::Right),
        ("Brier score", Align::Right),
        ("log-loss", Align::Right),
        ("calibration error", Align::Right),
    ]);
    for row in rows {
        table.rows.push(vec![
            row.player.clone(),
            words(row.predictor, row.cells).to_owned(),
            grouped(row.count),
            format!("{:.4}", row.brier_score),
            format!("{:.4}", row.log_loss),
            format!("{:.4}", row.calibration_error),
        ]);
    }
    table
}

fn errors(rows: &[LimitedP]) -> Table {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("board", Align::Left),
        ("guesses", Align::Right),
        ("mean error of P", Align::Right),
        ("cells with P = 0", Align::Right),
        ("mines among them, %", Align::Right),
    ]);
    for row in rows {
        table.rows.push(vec![
            row.player.clone(),
            row.board.clone(),
            grouped(row.guesses),
            row.mean_error.map_or(String::new(), |error| format!("{error:.4}")),
            grouped(row.zero_cells),
            row.share().map_or(String::new(), with_interval),
        ]);
    }
    table
}
