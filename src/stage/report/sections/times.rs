//! Figure 5: what a game costs.

use super::NO_EXPERIMENT;
use crate::document::chart::{Axis, Chart, Join, Point, Series};
use crate::document::numbers::{percent, seconds};
use crate::document::{Block, Figure, Finding, Section, Verdict};
use crate::stage::report::experiment::{Experiment, Shared};
use crate::stage::report::looks::look_of;

const PLAYERS: [&str; 5] = ["1.0", "2.0", "2.5", "3.0", "3.5"];

/// Time against mine ratio.
pub(crate) fn times(experiment: &Experiment) -> Section {
    let mut section = Section::new("figure-5", "Figure 5: time a game");
    let shared = experiment.shared(&PLAYERS);
    if shared.is_empty() {
        section.blocks.push(Block::Missing(NO_EXPERIMENT.to_owned()));
        return section;
    }
    section.blocks.push(Figure {
        id: "figure-5-plot".to_owned(),
        chart: chart(&shared),
        caption: format!(
            "Mean processor time a game, as measured; the axis is logarithmic. The paper plots a cubic fit, which goes below zero. {}.",
            shared.describe()
        ),
        findings: findings(experiment),
    }.block());
    let of_all = experiment.of_all(&PLAYERS);
    if !shared.left_out.is_empty() && !of_all.is_empty() {
        section.blocks.push(
            Figure {
                id: "figure-5-all".to_owned(),
                chart: chart(&of_all),
                caption: format!("The same on the sizes that all have played. {}.", of_all.describe()),
                findings: Vec::new(),
            }
            .block(),
        );
    }
    section
}

fn chart(shared: &Shared<'_>) -> Chart {
    let series = |player: &str| Series {
        name: player.to_owned(),
        look: look_of(player),
        join: Join::Line,
        points: shared
            .percents
            .iter()
            .filter_map(|&percent| {
                let seconds = shared.seconds(player, &[percent])?;
                Some(Point { x: f64::from(percent) / 100.0, y: seconds, error: None })
            })
            .collect(),
    };
    let series: Vec<_> = shared.players.iter().map(|player| series(player)).collect();
    let values = series.iter().flat_map(|series| &series.points).map(|point| point.y).filter(|&y| y > 0.0);
    Chart {
        title: "Processor time a game against mine ratio".to_owned(),
        x: Axis::percent("mines, % of cells", 0.05, 0.25),
        y: Axis::log("processor time a game", values, seconds),
        series,
        guides: Vec::new(),
    }
}

fn findings(experiment: &Experiment) -> Vec<Finding> {
    let pair = |slow, fast| {
        let both = experiment.of_all(&[slow, fast]);
        let of = |player| both.seconds(player, &both.percents);
        let times = of(slow).zip(of(fast));
        times.map(|times| (times, both))
    };
    let mut findings = Vec::new();
    if let Some(((two, three), both)) = pair("2.0", "3.0") {
        let late = |player| percent(both.timeouts(player, &both.percents));
        let times = two / three;
        findings.push(Finding {
            paper: "2.0 is much slower than 3.0: DSScsp finds the solutions sooner than backtracking.".to_owned(),
            here: format!(
                "A game of 2.0 takes {} in the mean and one of 3.0 {}, {times:.2} times as long, on {} sizes; {} and {} % of their games are out \
                 of time.",
                seconds(two),
                seconds(three),
                both.sizes.len(),
                late("2.0"),
                late("3.0")
            ),
            verdict: faster(times),
        });
    }
    for (limited, whole) in [("2.5", "2.0"), ("3.5", "3.0")] {
        if let Some(((long, short), both)) = pair(whole, limited) {
            let times = long / short;
            findings.push(Finding {
                paper: format!("{limited}, whose search is limited, is much faster than {whole}."),
                here: format!(
                    "{limited} takes {} a game and {whole} {}, {times:.1} times as long, on {} sizes.",
                    seconds(short),
                    seconds(long),
                    both.sizes.len()
                ),
                verdict: faster(times),
            });
        }
    }
    findings
}

/// Whether taking so many times as long counts as much slower.
fn faster(times: f64) -> Verdict {
    match times {
        _ if times >= 2.0 => Verdict::Agrees,
        _ if times > 1.1 => Verdict::Partly,
        _ => Verdict::Differs,
    }
}
