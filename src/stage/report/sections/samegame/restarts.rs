//! Figure 2: randomised restarts.

use super::parts::{at, budgets, place};
use super::{Page, RANDOM};
use crate::document::chart::{Axis, Chart, ErrorBar, Join, Look, Marker, Point, Series, Stroke};
use crate::document::numbers::{gain, score, score_with_interval};
use crate::document::{Figure, Finding, Verdict};
use crate::stage::report::error::ReportError;
use crate::stage::report::papers::sp_mcts::{RESTART_GAIN, TEN_RESTARTS};
use crate::stage::report::read::SamegameRow;

/// Air above and below the points of an axis of scores, and what its ends are multiples of.
const STEP: f64 = 100.0;

/// The largest budget of the stage.
pub(super) fn restarts(page: &mut Page<'_>) -> Result<(), ReportError> {
    let rows = page.begin("Figure 2: randomised restarts", RANDOM, &["figure-2"])?;
    let Some(budget) = budgets(&rows).pop() else {
        return Ok(());
    };
    let mut of: Vec<_> =
        at(&rows, &budget).filter_map(|row| Some((row.option("searches", "1").parse::<u32>().ok()?, row))).collect();
    of.sort_by_key(|(searches, _)| *searches);
    let figure = Figure {
        id: "samegame-restarts".to_owned(),
        chart: chart(&of),
        caption: format!(
            "Mean points by number of searches that share the budget: {}. The area is the 95 % interval. Of its own curve the paper's text \
             names two points: two searches make {RESTART_GAIN} more than one, which is drawn above our one, and ten make {}.",
            place(&budget),
            score(TEN_RESTARTS)
        ),
        findings: findings(&of),
    };
    page.put(figure.block());
    Ok(())
}

fn chart(rows: &[(u32, &SamegameRow)]) -> Chart {
    let here = rows.iter().map(|(searches, row)| {
        let of = row.estimate();
        Point { x: f64::from(*searches), y: of.value, error: Some(ErrorBar::Y(of.low, of.high)) }
    });
    let one = rows.iter().find(|(searches, _)| *searches == 1).map(|(_, row)| row.estimate().value);
    let named = one.map(|one| (2.0, one + RESTART_GAIN)).into_iter().chain([(10.0, TEN_RESTARTS)]);
    let paper: Vec<_> = named.map(|(x, y)| Point { x, y, error: None }).collect();
    let ends = rows.iter().map(|(_, row)| row.estimate()).flat_map(|of| [of.low, of.high]);
    let all: Vec<_> = ends.chain(paper.iter().map(|point| point.y)).collect();
    let searches = rows.iter().map(|(searches, _)| f64::from(*searches)).chain([1.0, 10.0]);
    let ticks = rows.iter().map(|(searches, _)| (f64::from(*searches), searches.to_string())).collect();
    let series = |name: &str, tone, stroke, marker, join, points| Series {
        name: name.to_owned(),
        look: Look { tone, stroke, marker },
        join,
        points,
    };
    Chart {
        title: "Mean points against the number of searches".to_owned(),
        x: Axis { ticks, ..Axis::log("searches", searches, |at| at.to_string()) },
        y: points_axis("points", &all),
        series: vec![
            series("here", 2, Stroke::Solid, Marker::Circle, Join::Line, here.collect()),
            series("the paper", 1, Stroke::Dashed, Marker::Diamond, Join::Apart, paper),
        ],
        guides: Vec::new(),
    }
}

/// An axis that holds these scores.
pub(super) fn points_axis(label: &str, values: &[f64]) -> Axis {
    let (low, high) =
        values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &value| (low.min(value), high.max(value)));
    Axis::linear(label, (low / STEP - 0.5).floor() * STEP, (high / STEP + 0.5).ceil() * STEP, 0)
}

fn findings(rows: &[(u32, &SamegameRow)]) -> Vec<Finding> {
    let of = |wanted: u32| rows.iter().find(|(searches, _)| *searches == wanted).map(|(_, row)| *row);
    let mut findings = Vec::new();
    if let Some((one, two)) = of(1).zip(of(2)) {
        let difference = two.minus(one);
        findings.push(Finding {
            paper: format!("Two searches make {RESTART_GAIN} points more than one."),
            here: format!("Here {}.", gain(difference)),
            verdict: match difference {
                _ if difference.is_above_zero() => Verdict::Agrees,
                _ if difference.is_below_zero() => Verdict::Differs,
                _ => Verdict::Partly,
            },
        });
    }
    let best = rows.iter().max_by(|a, b| a.1.estimate().value.total_cmp(&b.1.estimate().value));
    if let Some(((best, best_row), ten)) = best.zip(of(10)) {
        let paper = format!("Ten searches are best, with {} points; more are too small each.", score(TEN_RESTARTS));
        let (behind, reached) = (ten.minus(best_row), ten.estimate().high >= TEN_RESTARTS);
        let here = if *best == 10 {
            format!("Ten are best here too, with {}.", score_with_interval(ten.estimate()))
        } else {
            format!(
                "{best} are best here, with {}; ten have {}.",
                score_with_interval(best_row.estimate()),
                score_with_interval(ten.estimate())
            )
        };
        let verdict = match (behind.is_below_zero(), reached) {
            (false, true) => Verdict::Agrees,
            (true, false) => Verdict::Differs,
            _ => Verdict::Partly,
        };
        findings.push(Finding { paper, here, verdict });
    }
    findings
}
