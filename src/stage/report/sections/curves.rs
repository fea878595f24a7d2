//! Figures 1 and 2: win ratio against mine ratio.

use super::{NO_EXPERIMENT, VERSIONS};
use crate::document::Estimate;
use crate::document::chart::{Axis, Chart, ErrorBar, Guide, Join, Point, Series};
use crate::document::numbers::{list, percent, points, with_interval};
use crate::document::{Block, Figure, Finding, Section, Verdict};
use crate::stage::report::experiment::{Experiment, Shared};
use crate::stage::report::looks::look_of;
use crate::stage::report::papers::minesweeper::LEARNED_ARE_ALIKE_FROM;

/// Win ratios no further apart than this are called alike.
const ALIKE: f64 = 0.02;

/// The versions of figure 1.
const CSP: [&str; 4] = ["2.0", "2.5", "3.0", "3.5"];

/// Figure 1: the versions that only solve.
pub(crate) fn csp_versions(experiment: &Experiment) -> Section {
    let mut section = Section::new("figure-1", "Figure 1: versions that solve constraints");
    let shared = experiment.shared(&CSP);
    if shared.is_empty() {
        section.blocks.push(Block::Missing(NO_EXPERIMENT.to_owned()));
        return section;
    }
    section.blocks.push(
        Figure {
            id: "figure-1-plot".to_owned(),
            chart: win_ratios(&shared, "Win ratio against mine ratio of versions 2.0 to 3.5"),
            caption: format!("Games won; areas are 95 % intervals. {}.", shared.describe()),
            findings: csp_findings(experiment),
        }
        .block(),
    );
    let of_all = experiment.of_all(&CSP);
    if !shared.left_out.is_empty() && !of_all.is_empty() {
        section.blocks.push(
            Figure {
                id: "figure-1-all".to_owned(),
                chart: win_ratios(
                    &of_all,
                    "Win ratio against mine ratio of versions 2.0 to 3.5, on the sizes that all have played",
                ),
                caption: format!("The same on the sizes that all have played. {}.", of_all.describe()),
                findings: Vec::new(),
            }
            .block(),
        );
    }
    section
}

/// Figure 2: all versions, and how much each gains on 3.0.
pub(crate) fn all_versions(experiment: &Experiment) -> Section {
    let mut section = Section::new("figure-2", "Figure 2: all versions");
    let shared = experiment.shared(&VERSIONS);
    if shared.is_empty() {
        section.blocks.push(Block::Missing(NO_EXPERIMENT.to_owned()));
        return section;
    }
    section.blocks.push(
        Figure {
            id: "figure-2-plot".to_owned(),
            chart: win_ratios(&shared, "Win ratio against mine ratio of all versions"),
            caption: format!("Games won. {}.", shared.describe()),
            findings: all_findings(experiment, &shared),
        }
        .block(),
    );
    // What the other lines are measured from should be measured well: its noise is in all of them.
    let bases = ["3.5", "3.0"].into_iter().filter(|base| shared.players.contains(base));
    if let Some(base) = bases.max_by_key(|base| shared.games(base).0) {
        section.blocks.push(
            Figure {
                id: "figure-2-gain".to_owned(),
                chart: gains(&shared, base),
                caption: format!(
                    "The same as points gained on {base}, where the lines above lie too close to tell apart."
                ),
                findings: Vec::new(),
            }
            .block(),
        );
    }
    section
}

fn win_ratios(shared: &Shared<'_>, title: &str) -> Chart {
    let many = shared.players.len() > 5;
    let series = |player: &str| Series {
        name: player.to_owned(),
        look: look_of(player),
        join: Join::Line,
        points: at_each_ratio(shared, |at| {
            let of = shared.wins(player, at, |_| true)?;
            // The areas of many lines would hide each other.
            Some((of.value, if many { None } else { Some(ErrorBar::Y(of.low, of.high)) }))
        }),
    };
    Chart {
        title: title.to_owned(),
        x: Axis::percent("mines, % of cells", 0.05, 0.25),
        y: Axis::percent("games won, %", 0.0, 1.0),
        series: shared.players.iter().map(|player| series(player)).collect(),
        guides: Vec::new(),
    }
}

fn gains(shared: &Shared<'_>, base: &str) -> Chart {
    let series = |player: &str| Series {
        name: player.to_owned(),
        look: look_of(player),
        join: Join::Line,
        points: at_each_ratio(shared, |at| {
            let value = |player: &str| shared.wins(player, at, |_| true).map(|of| of.value);
            Some((value(player)? - value(base)?, None))
        }),
    };
    let series: Vec<_> = shared.players.iter().filter(|player| **player != base).map(|player| series(player)).collect();
    let values = || series.iter().flat_map(|series| &series.points).map(|point| point.y);
    let step = |value: f64, round: fn(f64) -> f64| round(value * 50.0) / 50.0;
    let low = step(values().fold(0.0, f64::min), f64::floor);
    let high = step(values().fold(0.02, f64::max), f64::ceil);
    Chart {
        title: format!("Points gained on {base} against mine ratio"),
        x: Axis::percent("mines, % of cells", 0.05, 0.25),
        y: Axis::percent(&format!("points more than {base}"), low, high),
        series,
        guides: vec![Guide::Level(0.0)],
    }
}

fn at_each_ratio(shared: &Shared<'_>, y: impl Fn(&[u32]) -> Option<(f64, Option<ErrorBar>)>) -> Vec<Point> {
    let point = |&percent: &u32| {
        let (y, error) = y(&[percent])?;
        Some(Point { x: f64::from(percent) / 100.0, y, error })
    };
    shared.percents.iter().filter_map(point).collect()
}

/// The mean of a player over the mine ratios, if it is among those shown.
fn mean(shared: &Shared<'_>, player: &str, percents: &[u32]) -> Option<Estimate> {
    shared.players.contains(&player).then(|| shared.wins(player, percents, |_| true)).flatten()
}

/// The win ratios of two players on all boards that both have played.
fn pair<'a>(experiment: &'a Experiment, players: [&'a str; 2]) -> Option<([Estimate; 2], Shared<'a>)> {
    let both = experiment.of_all(&players);
    let of = |player: &str| mean(&both, player, &both.percents);
    Some(([of(players[0])?, of(players[1])?], both))
}

fn csp_findings(experiment: &Experiment) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(([two, three], both)) = pair(experiment, ["2.0", "3.0"]) {
        let gain = three.minus(two);
        let late = |player| percent(both.timeouts(player, &both.percents));
        findings.push(Finding {
            paper: "2.0 performs worst and 3.0 much better: 2.0 is often out of time.".to_owned(),
            here: format!(
                "3.0 less 2.0, on the {} sizes that both have played: {}. {} % of the games of 2.0 and {} % of those of 3.0 are out of time.",
                both.sizes.len(),
                points(gain),
                late("2.0"),
                late("3.0")
            ),
            verdict: match gain {
                _ if gain.is_above_zero() && gain.value > ALIKE => Verdict::Agrees,
                _ if gain.is_above_zero() => Verdict::Partly,
                _ => Verdict::Differs,
            },
        });
    }
    for (limited, whole) in [("2.5", "2.0"), ("3.5", "3.0")] {
        if let Some(([short, long], both)) = pair(experiment, [limited, whole]) {
            let loss = short.minus(long);
            findings.push(Finding {
                paper: format!("{limited}, whose search is limited, is very close to {whole}."),
                here: format!(
                    "{limited} less {whole}, on {} sizes: {}. Within {:.0} points counts as close.",
                    both.sizes.len(),
                    points(loss),
                    100.0 * ALIKE
                ),
                verdict: match loss {
                    _ if loss.low >= -ALIKE && loss.high <= ALIKE => Verdict::Agrees,
                    _ if loss.high < -ALIKE || loss.low > ALIKE => Verdict::Differs,
                    _ => Verdict::Partly,
                },
            });
        }
    }
    findings.extend(the_end(experiment));
    findings
}

/// What is won where mines are densest.
fn the_end(experiment: &Experiment) -> Option<Finding> {
    let (player, shared) = ["3.0", "3.5", "2.5"]
        .into_iter()
        .map(|player| (player, experiment.of_all(&[player])))
        .max_by_key(|(player, shared)| (shared.sizes.len(), *player == "3.0"))?;
    let &last = shared.percents.last()?;
    let of = mean(&shared, player, &[last])?;
    Some(Finding {
        paper: "Win ratios come close to 0 as mines reach about 25 % of the cells.".to_owned(),
        here: format!(
            "{player} wins {} % of its games at {last} % of mines, on {} sizes.",
            with_interval(of),
            shared.sizes.len()
        ),
        verdict: match of.value {
            value if value < 0.05 => Verdict::Agrees,
            value if value < 0.25 => Verdict::Partly,
            _ => Verdict::Differs,
        },
    })
}

fn all_findings(experiment: &Experiment, shared: &Shared<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (better, base) in [("4.0", "3.0"), ("4.5", "3.5")] {
        if let Some(([four, three], both)) = pair(experiment, [better, base]) {
            let gain = four.minus(three);
            findings.push(Finding {
                paper: format!("{better} wins more than {base}: cells near the edge are the better guess."),
                here: format!("{better} less {base}, on {} sizes: {}.", both.sizes.len(), points(gain)),
                verdict: match gain {
                    _ if gain.is_above_zero() => Verdict::Agrees,
                    _ if gain.is_below_zero() => Verdict::Differs,
                    _ => Verdict::Partly,
                },
            });
        }
    }
    findings.extend(dense_boards(shared));
    findings.extend(the_best(shared));
    findings
}

/// Whether the learned versions are like those before where mines are dense.
fn dense_boards(shared: &Shared<'_>) -> Option<Finding> {
    let dense: Vec<u32> =
        shared.percents.iter().copied().filter(|&at| f64::from(at) / 100.0 > LEARNED_ARE_ALIKE_FROM).collect();
    let base =
        mean(shared, "4.0", &dense).map(|of| ("4.0", of)).or_else(|| Some(("4.5", mean(shared, "4.5", &dense)?)))?;
    let learned: Vec<_> = ["5.0", "5.5", "6.0", "6.5"]
        .into_iter()
        .filter_map(|player| Some((player, mean(shared, player, &dense)?.minus(base.1))))
        .collect();
    if learned.is_empty() {
        return None;
    }
    let alike = learned.iter().filter(|(_, gain)| gain.value.abs() <= ALIKE).count();
    let each: Vec<_> = learned.iter().map(|(player, gain)| format!("{player} {:+.2}", 100.0 * gain.value)).collect();
    Some(Finding {
        paper: "Above 19 % of mines, 5.0 to 6.5 are like the versions before.".to_owned(),
        here: format!(
            "Points more than {} there: {}. {alike} of {} are within {:.0} points.",
            base.0,
            list(&each),
            learned.len(),
            100.0 * ALIKE
        ),
        verdict: match alike {
            _ if alike == learned.len() => Verdict::Agrees,
            0 => Verdict::Differs,
            _ => Verdict::Partly,
        },
    })
}

/// Whether 5.0 and 6.5 win more than all others.
fn the_best(shared: &Shared<'_>) -> Option<Finding> {
    let mut all: Vec<_> =
        shared.players.iter().filter_map(|&player| Some((player, mean(shared, player, &shared.percents)?))).collect();
    let has = |player: &str| shared.players.contains(&player);
    if !has("5.0") || !has("6.5") || all.len() < 4 {
        return None;
    }
    all.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let first: Vec<_> = all.iter().take(4).map(|(player, of)| format!("{player} {}", percent(of.value))).collect();
    let leading = all.iter().take(2).filter(|(player, _)| ["5.0", "6.5"].contains(player)).count();
    Some(Finding {
        paper: "5.0 and 6.5 win visibly more than all others.".to_owned(),
        here: format!("The order here begins with {}, in % over all boards.", list(&first)),
        verdict: match leading {
            2 => Verdict::Agrees,
            1 => Verdict::Partly,
            _ => Verdict::Differs,
        },
    })
}
