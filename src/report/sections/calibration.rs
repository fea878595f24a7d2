//! Are probabilities what they say?

use std::collections::BTreeMap;

use crate::report::Version;
use crate::report::chart::{Axis, Chart, ErrorBar, Guide, Join, Point, Series, look_of};
use crate::report::document::{Align, Block, Figure, Section, Table};
use crate::report::estimate::Estimate;
use crate::report::read::{Bin, Cells, Predictor};
use crate::report::words::{grouped, list, percent};

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

    const fn name(self) -> &'static str {
        match self {
            Self::SourceOnBoundary => "P on the boundary",
            Self::SourceElsewhere => "P elsewhere",
            Self::SourceChosen => "P of the chosen cell",
            Self::Model => "classifier, all candidates",
            Self::ModelChosen => "classifier, the chosen cell",
        }
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

/// The reliability diagrams.
pub(crate) fn calibration(bins: Option<&[Bin]>, versions: &[Version]) -> Section {
    let mut section = Section::new("calibration", "Calibration");
    let Some(bins) = bins.filter(|bins| !bins.is_empty()) else {
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
    section.blocks.push(Block::Table(table(&judged)));
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

fn table(judged: &Judged<'_>) -> Table {
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("prediction", Align::Left),
        ("cells", Align::Right),
        ("predicted, %", Align::Right),
        ("found, %", Align::Right),
        ("mean distance", Align::Right),
    ]);
    let mut keys: Vec<_> = judged.keys().collect();
    keys.sort_by_key(|&&(kind, player)| (player, kind));
    for key @ &(kind, player) in keys {
        let bins = &judged[key];
        let all = total(bins);
        table.rows.push(vec![
            player.to_owned(),
            kind.name().to_owned(),
            grouped(all.count as u64),
            percent(all.predicted / all.count),
            percent(all.mines / all.count),
            percent(error(bins)),
        ]);
    }
    table
}
