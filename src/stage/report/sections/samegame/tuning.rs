//! Tables 5 and 6: the Cross-Entropy Method.

use super::parts::{Origin, at, better, budget_words, budgets, is_per_move, origin, place, table};
use super::restarts::points_axis;
use super::search::paper_at;
use super::{Page, RANDOM};
use crate::document::chart::{Axis, Chart, Join, Look, Marker, Point, Series, Stroke};
use crate::document::numbers::{gain, score, score_with_interval};
use crate::document::{Block, Figure};
use crate::stage::report::error::ReportError;
use crate::stage::report::papers::sp_mcts::PARAMETERS;
use crate::stage::report::read::{DistributionRow, SamegameRow};

/// The stages of table 5, with their names in words.
const STAGES: [(&str, &str); 2] = [("table-5-game", "per game"), ("table-5-move", "per move")];

/// Table 5.
pub(super) fn tuning(page: &mut Page<'_>) -> Result<(), ReportError> {
    page.put(Block::Heading("Table 5: settings by the Cross-Entropy Method".to_owned()));
    let (mut runs, mut missing) = (Vec::new(), Vec::new());
    for (stage, name) in STAGES {
        match page.tables.distribution(stage)? {
            Some(rows) => runs.push((name, rows)),
            None => missing.push(stage),
        }
    }
    page.miss(RANDOM, &missing);
    if runs.is_empty() {
        return Ok(());
    }
    let here = runs.iter().map(|(name, _)| format!("{name}, here"));
    let paper = ["parameter", "manual", "per game, paper", "per move, paper"].map(str::to_owned);
    let header: Vec<_> = paper.into_iter().chain(here).collect();
    let mut shown = table(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for (key, values) in PARAMETERS {
        let mut line = vec![key.to_owned()];
        line.extend(values.map(|value| value.to_string()));
        line.extend(runs.iter().map(|(_, rows)| found(rows, key)));
        shown.rows.push(line);
    }
    page.put(Block::Table(shown));
    let figure = Figure {
        id: "samegame-tuning".to_owned(),
        chart: chart(&runs),
        caption: "Mean points of all samples of an iteration, and of its best one. Every iteration has new boards. Behind each found value \
                  above stands the deviation that was left."
            .to_owned(),
        findings: Vec::new(),
    };
    page.put(figure.block());
    Ok(())
}

/// The last mean of a parameter with its deviation.
fn found(rows: &[DistributionRow], key: &str) -> String {
    let last = rows.iter().filter(|row| row.parameter == key).max_by_key(|row| row.iteration);
    let digits = if key == "epsilon" { 5 } else { 2 };
    last.map_or(String::new(), |row| format!("{:.digits$} ± {:.digits$}", row.mean, row.deviation))
}

fn chart(runs: &[(&str, Vec<DistributionRow>)]) -> Chart {
    type Value = fn(&DistributionRow) -> Option<f64>;
    let kinds: [(&str, Stroke, Value); 2] =
        [("all samples", Stroke::Solid, |row| row.mean_fitness), ("the best", Stroke::Dashed, |row| row.best_fitness)];
    let looks = [(2, Marker::Circle), (4, Marker::Square)];
    let mut series = Vec::new();
    for ((name, rows), (tone, marker)) in runs.iter().zip(looks) {
        for (kind, stroke, value) in kinds {
            // Every parameter of an iteration has the same.
            let first = rows.first().map(|row| row.parameter.as_str());
            let of_one = rows.iter().filter(|row| Some(row.parameter.as_str()) == first);
            let points =
                of_one.filter_map(|row| Some(Point { x: f64::from(row.iteration), y: value(row)?, error: None }));
            let look = Look { tone, stroke, marker };
            series.push(Series { name: format!("{name}, {kind}"), look, join: Join::Line, points: points.collect() });
        }
    }
    let points = || series.iter().flat_map(|series| &series.points);
    let values: Vec<_> = points().map(|point| point.y).collect();
    let last = points().map(|point| point.x).fold(2.0, f64::max);
    Chart {
        title: "Points of the samples by iteration of the Cross-Entropy Method".to_owned(),
        x: Axis::linear("iteration", 1.0, last, 0),
        y: points_axis("points", if values.is_empty() { &[0.0] } else { &values }),
        series,
        guides: Vec::new(),
    }
}

/// Table 6.
pub(super) fn tuned(page: &mut Page<'_>) -> Result<(), ReportError> {
    let title = "Table 6: tuned settings against manual ones";
    let rows = page.begin(title, RANDOM, &["table-6"])?;
    if rows.is_empty() {
        return Ok(());
    }
    page.section.say("Random boards of another seed than those of the other tables.");
    let header = [
        "nodes, boards",
        "search",
        "manual",
        "paper's",
        "paper's tuned settings",
        "paper's",
        "tuned here",
        "more than manual",
    ];
    let mut shown = table(&header);
    let mut gains = [Vec::new(), Vec::new()];
    for budget in budgets(&rows) {
        for (scope, name) in ["per game", "per move"].into_iter().enumerate() {
            let of = |wanted: Origin| {
                at(&rows, &budget).find(|row| is_per_move(row) == (scope == 1) && origin(row) == wanted)
            };
            let Some(manual) = of(Origin::Manual) else {
                continue;
            };
            let paper =
                |column: usize| paper_at(manual).map_or(String::new(), |(_, values)| score(values[2 * scope + column]));
            let words =
                |row: Option<&SamegameRow>| row.map_or(String::new(), |row| score_with_interval(row.estimate()));
            let difference = of(Origin::Here).map(|row| row.minus(manual));
            shown.rows.push(vec![
                place(&budget),
                name.to_owned(),
                words(Some(manual)),
                paper(0),
                words(of(Origin::Paper)),
                paper(1),
                words(of(Origin::Here)),
                difference.map_or(String::new(), gain),
            ]);
            gains[scope].extend(difference.map(|difference| (budget_words(&budget.0), difference)));
        }
    }
    page.put(Block::Table(shown));
    let claims = ["Per game, tuned settings are better at every budget.", "Per move too."];
    let findings = claims.iter().zip(&gains).filter_map(|(claim, gains)| better((*claim).to_owned(), gains));
    let findings = findings.collect();
    page.put(Block::Findings(findings));
    Ok(())
}
