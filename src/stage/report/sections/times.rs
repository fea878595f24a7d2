//! Figure 5: what a game costs.

use super::by_ratio::{figures, lines, pair, ratio_axis};
use crate::experiment::{MineRatioExperiment, SharedBoards};
use mineflow_document::chart::{Axis, Chart, Point, Values};
use mineflow_document::numbers::{percent, seconds};
use mineflow_document::{Finding, PaperVerdict, Section};

/// Taking so many times as long is much slower.
const MUCH: f64 = 2.0;

/// Up to so many times as long is about as long.
const ALIKE: f64 = 1.25;

const PLAYERS: [&str; 5] = ["1.0", "2.0", "2.5", "3.0", "3.5"];

/// Time against mine ratio.
pub(crate) fn times(experiment: &MineRatioExperiment) -> Section {
    let mut section = Section::new("figure-5", "Figure 5: time a game");
    let caption = "Mean processor time a game, as measured; the axis is logarithmic. The paper plots a cubic fit, which goes below zero.";
    figures(&mut section, experiment, &PLAYERS, chart, (caption, findings(experiment)));
    section
}

fn chart(shared: &SharedBoards<'_>, on: &str) -> Chart {
    let point = |player: &str, x, at: &[u32]| Some(Point::new(x, shared.seconds(player, at)?));
    let series = lines(shared, &shared.players, point);
    let values = series.iter().flat_map(|series| &series.points).map(|point| point.y).filter(|&y| y > 0.0);
    let y = Axis::log("processor time a game", values, Values::Seconds);
    Chart::new(format!("Processor time a game against mine ratio{on}"), ratio_axis(), y, series)
}

fn findings(experiment: &MineRatioExperiment) -> Vec<Finding> {
    let pair = |slow, fast| pair(experiment, [slow, fast], |both, player| both.seconds(player, &both.percents));
    let mut findings = Vec::new();
    if let Some(([two, three], both)) = pair("2.0", "3.0") {
        let late = |player| percent(both.timeouts(player, &both.percents));
        let times = two / three;
        findings.push(Finding::new(
            "2.0 is much slower than 3.0: DSScsp finds the solutions sooner than backtracking.",
            format!(
                "A game of 2.0 takes {} in the mean and one of 3.0 {}, {times:.2} times as long, on {} sizes; {} and {} % of their games are out \
                 of time.",
                seconds(two),
                seconds(three),
                both.sizes.len(),
                late("2.0"),
                late("3.0")
            ),
            faster(times),
        )
        .apart(short_of_much(times))
        .because(without_deduction(experiment)));
    }
    for (limited, whole) in [("2.5", "2.0"), ("3.5", "3.0")] {
        if let Some(([long, short], both)) = pair(whole, limited) {
            let times = long / short;
            findings.push(Finding::new(
                format!("{limited}, whose search is limited, is much faster than {whole}."),
                format!(
                    "{limited} takes {} a game and {whole} {}, {times:.1} times as long, on {} sizes.",
                    seconds(short),
                    seconds(long),
                    both.sizes.len()
                ),
                faster(times),
            ));
        }
    }
    findings
}

/// What 1.0 takes, where that is about what 2.0 takes: then deduction before the search hardly counts, nor how the search is made.
fn without_deduction(experiment: &MineRatioExperiment) -> String {
    let times = pair(experiment, ["1.0", "2.0"], |both, player| both.seconds(player, &both.percents));
    match times {
        Some(([one, two], _)) if one.max(two) <= ALIKE * one.min(two) => format!(
            "1.0, which deduces nothing before its search, takes {} where 2.0 takes {}: the time goes into walking all solutions, which each of \
             them does.",
            seconds(one),
            seconds(two)
        ),
        _ => String::new(),
    }
}

/// How far `times` is from what counts as much slower, in percent of that.
fn short_of_much(times: f64) -> f64 {
    100.0 * (MUCH - times) / MUCH
}

/// Whether taking `times` as long counts as much slower.
fn faster(times: f64) -> PaperVerdict {
    match times {
        _ if times >= MUCH => PaperVerdict::Agrees,
        _ if times > 1.1 => PaperVerdict::Partly,
        _ => PaperVerdict::Differs,
    }
}
