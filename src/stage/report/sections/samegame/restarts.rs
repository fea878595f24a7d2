//! Figure 2: randomised restarts.

use super::parts::{at, budgets, mean, place, points_axis};
use crate::papers::sp_mcts::{RESTART_GAIN, TEN_RESTARTS};
use crate::read::SamegameResult;
use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Joining, Marker, Point, Values};
use mineflow_document::numbers::{gain, score};
use mineflow_document::{Figure, Finding, PaperVerdict, Section};

/// The largest budget of the stage.
pub(super) fn restarts(section: &mut Section, results: Vec<SamegameResult>) {
    let Some(budget) = budgets(&results).pop() else {
        return;
    };
    let searches = |result: &SamegameResult| result.option("searches", "1").parse::<u32>().ok();
    let mut of: Vec<_> = at(&results, &budget).filter_map(|result| Some((searches(result)?, result))).collect();
    of.sort_by_key(|(searches, _)| *searches);
    let caption = format!(
        "Mean points by number of searches that share the budget: {}. The area is the 95 % interval. Of its own curve the paper's text \
         names two points: two searches make {RESTART_GAIN} more than one, which is drawn above our one, and ten make {}.",
        place(&budget),
        score(TEN_RESTARTS)
    );
    section.figure(Figure::new("samegame-restarts", chart(&of), caption).with(findings(&of)));
}

fn chart(results: &[(u32, &SamegameResult)]) -> Chart {
    let here = results.iter().map(|(searches, result)| Point::along_y(f64::from(*searches), result.estimate()));
    let one = results.iter().find(|(searches, _)| *searches == 1).map(|(_, result)| result.row.mean);
    let named = one.map(|one| (2.0, one + RESTART_GAIN)).into_iter().chain([(10.0, TEN_RESTARTS)]);
    let paper: Vec<_> = named.map(|(x, y)| Point::new(x, y)).collect();
    let ends = results.iter().flat_map(|(_, result)| [result.row.low, result.row.high]);
    let y = points_axis("points", ends.chain(paper.iter().map(|point| point.y)));
    let searches = || results.iter().map(|(searches, _)| f64::from(*searches));
    let ticks = searches().map(|searches| (searches, searches.to_string())).collect();
    Chart::new(
        "Mean points against the number of searches",
        Axis { ticks, ..Axis::log("searches", searches().chain([1.0, 10.0]), Values::Numbers) },
        y,
        vec![
            DataSeries::new("here", Appearance::solid(2, Marker::Circle), Joining::Line, here),
            DataSeries::new("the paper", Appearance::dashed(1, Marker::Diamond), Joining::Apart, paper),
        ],
    )
}

fn findings(results: &[(u32, &SamegameResult)]) -> Vec<Finding> {
    let of = |wanted: u32| results.iter().find(|(searches, _)| *searches == wanted).map(|(_, result)| *result);
    let mut findings = Vec::new();
    if let Some((one, two)) = of(1).zip(of(2)) {
        let difference = two.minus(one);
        findings.push(Finding::new(
            format!("Two searches make {RESTART_GAIN} points more than one."),
            format!("Here {}.", gain(difference)),
            PaperVerdict::of_gain(difference),
        ));
    }
    let best = results.iter().max_by(|a, b| a.1.row.mean.total_cmp(&b.1.row.mean));
    if let Some(((best, best_result), ten)) = best.zip(of(10)) {
        let (behind, reached) = (ten.minus(best_result), ten.row.high >= TEN_RESTARTS);
        findings.push(Finding::new(
            format!("Ten searches are best, with {} points; more are too small each.", score(TEN_RESTARTS)),
            match best {
                10 => format!("Ten are best here too, with {}.", mean(ten)),
                _ => format!("{best} are best here, with {}; ten have {}.", mean(best_result), mean(ten)),
            },
            match (behind.is_below_zero(), reached) {
                (false, true) => PaperVerdict::Agrees,
                (true, false) => PaperVerdict::Differs,
                _ => PaperVerdict::Partly,
            },
        ));
    }
    findings
}
