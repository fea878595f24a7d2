//! Figures 1 and 2: win ratio against mine ratio.

use super::by_ratio::{figures, lines, pair, ratio_axis};
use crate::experiment::{BoardSize, MineRatioExperiment, NO_EXPERIMENT, SharedBoards, VERSIONS};
use crate::papers::minesweeper::LEARNED_ARE_ALIKE_FROM;
use mineflow_document::chart::{Axis, Chart, Guide, Point, gain_ends};
use mineflow_document::numbers::{list, percent, points, with_interval};
use mineflow_document::{Estimate, Figure, Finding, PaperVerdict, Section};

/// Win ratios no further apart than this are called alike.
const ALIKE: f64 = 0.02;

/// Win ratios below this are close to 0.
const NEARLY_NONE: f64 = 0.05;

/// The versions of figure 1.
const CSP: [&str; 4] = ["2.0", "2.5", "3.0", "3.5"];

/// Figure 1: the versions that only solve.
pub(crate) fn csp_versions(experiment: &MineRatioExperiment) -> Section {
    let mut section = Section::new("figure-1", "Figure 1: versions that solve constraints");
    let chart = |shared: &SharedBoards<'_>, on: &str| {
        win_ratios(shared, format!("Win ratio against mine ratio of versions 2.0 to 3.5{on}"))
    };
    let findings = csp_findings(experiment);
    figures(&mut section, experiment, &CSP, chart, ("Games won. Areas are 95 % intervals.", findings));
    section
}

/// Figure 2: all versions, and how much each gains on 3.0.
pub(crate) fn all_versions(experiment: &MineRatioExperiment) -> Section {
    let mut section = Section::new("figure-2", "Figure 2: all versions");
    let shared = experiment.shared(&VERSIONS);
    if shared.is_empty() {
        section.miss(NO_EXPERIMENT);
        return section;
    }
    let chart = win_ratios(&shared, "Win ratio against mine ratio of all versions".to_owned());
    let caption = format!("Games won. {} {}.", chart.reading(), shared.describe());
    section.figure(Figure::new("figure-2-plot", chart, caption).with(all_findings(experiment, &shared)));
    // What the other lines are measured from should be measured well: its noise is in all of them.
    let bases = ["3.5", "3.0"].into_iter().filter(|base| shared.players.contains(base));
    if let Some(base) = bases.max_by_key(|base| shared.games(base).0) {
        let chart = gains(&shared, base);
        let caption = format!(
            "The same as points gained on {base}, where the lines above lie too close to tell apart. {} The games are the same ones, so the true \
             intervals are shorter.",
            chart.reading()
        );
        section.figure(Figure::new("figure-2-gain", chart, caption));
    }
    section
}

fn win_ratios(shared: &SharedBoards<'_>, title: String) -> Chart {
    let series = lines(shared, &shared.players, |player, x, at| Some(Point::along_y(x, shared.wins(player, at)?)));
    Chart::new(title, ratio_axis(), Axis::percent("games won, %", 0.0, 1.0), series)
}

fn gains(shared: &SharedBoards<'_>, base: &str) -> Chart {
    let others = shared.players.iter().filter(|player| **player != base);
    let series = lines(shared, others, |player, x, at| {
        Some(Point::along_y(x, shared.wins(player, at)?.minus(shared.wins(base, at)?)))
    });
    let (low, high) = gain_ends(series.iter().flat_map(|series| &series.points).map(|point| point.y));
    let y = Axis::percent(&format!("points more than {base}"), low, high);
    Chart::new(format!("Points gained on {base} against mine ratio"), ratio_axis(), y, series).with(Guide::Level(0.0))
}

/// The win ratios of two players on all boards that both have played.
fn wins<'a>(experiment: &'a MineRatioExperiment, players: [&'a str; 2]) -> Option<([Estimate; 2], SharedBoards<'a>)> {
    pair(experiment, players, |both, player| both.wins(player, &both.percents))
}

fn csp_findings(experiment: &MineRatioExperiment) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(([two, three], both)) = wins(experiment, ["2.0", "3.0"]) {
        let gain = three.minus(two);
        let late = |player| percent(both.timeouts(player, &both.percents));
        findings.push(Finding::new(
            "2.0 performs worst and 3.0 much better: 2.0 is often out of time.",
            format!(
                "3.0 less 2.0, on the {} sizes that both have played: {}. {} % of the games of 2.0 and {} % of those of 3.0 are out of time.",
                both.sizes.len(),
                points(gain),
                late("2.0"),
                late("3.0")
            ),
            match gain.is_above_zero() {
                true if gain.value > ALIKE => PaperVerdict::Agrees,
                true => PaperVerdict::Partly,
                false => PaperVerdict::Differs,
            },
        )
        .apart(100.0 * (ALIKE - gain.value)));
    }
    for (limited, whole) in [("2.5", "2.0"), ("3.5", "3.0")] {
        if let Some(([short, long], both)) = wins(experiment, [limited, whole]) {
            let loss = short.minus(long);
            findings.push(
                Finding::new(
                    format!("{limited}, whose search is limited, is very close to {whole}."),
                    format!(
                        "{limited} less {whole}, on {} sizes: {}. Within {:.0} points counts as close.",
                        both.sizes.len(),
                        points(loss),
                        100.0 * ALIKE
                    ),
                    match loss {
                        _ if loss.low >= -ALIKE && loss.high <= ALIKE => PaperVerdict::Agrees,
                        _ if loss.high < -ALIKE || loss.low > ALIKE => PaperVerdict::Differs,
                        _ => PaperVerdict::Partly,
                    },
                )
                .apart(100.0 * (loss.value.abs() - ALIKE)),
            );
        }
    }
    findings.extend(the_end(experiment));
    findings
}

/// What is won where mines are densest.
fn the_end(experiment: &MineRatioExperiment) -> Option<Finding> {
    let (player, shared) = ["3.0", "3.5", "2.5"]
        .into_iter()
        .map(|player| (player, experiment.of_all(&[player])))
        .max_by_key(|(player, shared)| (shared.sizes.len(), *player == "3.0"))?;
    let &last = shared.percents.last()?;
    let of = shared.wins(player, &[last])?;
    let sizes = shared.sizes.len();
    Some(
        Finding::new(
            "Win ratios come close to 0 as mines reach about 25 % of the cells.",
            format!("{player} wins {} % of its games at {last} % of mines, on {sizes} sizes.", with_interval(of)),
            match of.value {
                value if value < NEARLY_NONE => PaperVerdict::Agrees,
                value if value < 0.25 => PaperVerdict::Partly,
                _ => PaperVerdict::Differs,
            },
        )
        .apart(100.0 * (of.value - NEARLY_NONE))
        .because(small_and_large(&shared, player, last)),
    )
}

/// What is won at a mine ratio on the smallest and on the largest quarter of the sizes, if more is won on the small ones.
fn small_and_large(shared: &SharedBoards<'_>, player: &str, at: u32) -> String {
    let cells = |&(width, height): &BoardSize| width * height;
    let mut all: Vec<_> = shared.sizes.iter().map(cells).collect();
    all.sort_unstable();
    let (small, large) = (all[all.len() / 4], all[all.len() - 1 - all.len() / 4]);
    let won = |of: &dyn Fn(usize) -> bool| shared.wins_on(player, &[at], |size| of(cells(&size)));
    match won(&|cells| cells <= small).zip(won(&|cells| cells >= large)) {
        Some((few, many)) if small < large && few.minus(many).is_above_zero() => format!(
            "The small boards win it: {} % of games on those of at most {small} cells, {} % on those of {large} and more.",
            percent(few.value),
            percent(many.value)
        ),
        _ => String::new(),
    }
}

fn all_findings(experiment: &MineRatioExperiment, shared: &SharedBoards<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (better, base) in [("4.0", "3.0"), ("4.5", "3.5")] {
        if let Some(([four, three], both)) = wins(experiment, [better, base]) {
            let gain = four.minus(three);
            findings.push(Finding::new(
                format!("{better} wins more than {base}: cells near the edge are the better guess."),
                format!("{better} less {base}, on {} sizes: {}.", both.sizes.len(), points(gain)),
                PaperVerdict::of_gain(gain),
            ));
        }
    }
    findings.extend(dense_boards(shared));
    findings.extend(the_best(shared));
    findings
}

/// Whether the learned versions are like those before where mines are dense.
fn dense_boards(shared: &SharedBoards<'_>) -> Option<Finding> {
    let dense: Vec<u32> =
        shared.percents.iter().copied().filter(|&at| f64::from(at) / 100.0 > LEARNED_ARE_ALIKE_FROM).collect();
    let of = |player| Some((player, shared.wins(player, &dense)?));
    let (base, won) = of("4.0").or_else(|| of("4.5"))?;
    let learned = ["5.0", "5.5", "6.0", "6.5"].into_iter().filter_map(of);
    let gains: Vec<_> = learned.map(|(player, of)| (player, of.minus(won).value)).collect();
    let alike = gains.iter().filter(|(_, gain)| gain.abs() <= ALIKE).count();
    let each: Vec<_> = gains.iter().map(|(player, gain)| format!("{player} {:+.2}", 100.0 * gain)).collect();
    (!gains.is_empty()).then(|| {
        let here = format!(
            "Points more than {base} there: {}. {alike} of {} are within {:.0} points.",
            list(&each),
            gains.len(),
            100.0 * ALIKE
        );
        let paper = "Above 19 % of mines, 5.0 to 6.5 are like the versions before.";
        let most = gains.iter().map(|(_, gain)| gain.abs()).fold(0.0, f64::max);
        Finding::new(paper, here, PaperVerdict::of_cases(alike, gains.len())).apart(100.0 * (most - ALIKE))
    })
}

/// Whether 5.0 and 6.5 win more than all others.
fn the_best(shared: &SharedBoards<'_>) -> Option<Finding> {
    const BEST: [&str; 2] = ["5.0", "6.5"];
    let mut all: Vec<_> =
        shared.players.iter().filter_map(|&player| Some((player, shared.wins(player, &shared.percents)?))).collect();
    if BEST.iter().any(|player| !shared.players.contains(player)) || all.len() < 4 {
        return None;
    }
    all.sort_by(|a, b| b.1.value.total_cmp(&a.1.value));
    let first: Vec<_> = all.iter().take(4).map(|(player, of)| format!("{player} {}", percent(of.value))).collect();
    let leading = all.iter().take(2).filter(|(player, _)| BEST.contains(player)).count();
    Some(Finding::new(
        "5.0 and 6.5 win visibly more than all others.",
        format!("The order here begins with {}, in % over all boards.", list(&first)),
        PaperVerdict::of_cases(leading, 2),
    ))
}
