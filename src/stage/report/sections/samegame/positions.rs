//! Table 7: the standard 20 positions; and the paper's own 250.

use super::parts::{Origin, budget_words, cleared, cpu_time, deepest, is_per_move, mean, origin, points_axis, setting};
use super::search::{nodes, paper_at};
use crate::papers::sp_mcts::{SETTINGS, SP_MCTS_3, TEN_RESTARTS, programs};
use crate::read::SamegameResult;
use mineflow_document::chart::{Appearance, Axis, Chart, DataSeries, Guide, Joining, Marker, Point, Values};
use mineflow_document::numbers::{counted, grouped, score, seconds};
use mineflow_document::{Figure, Finding, PageTable, PaperVerdict, Section};

/// The points that the best of our algorithms should make on the standard 20.
const BEST_WANTED: u64 = 80_000;

/// The published programs whose positions stand beside ours.
const SHOWN: [&str; 4] = ["SP-MCTS(1)", "SP-MCTS(2)", "SP-MCTS(3)", "SPURIOUS AI"];

/// Table 7.
pub(super) fn standard(section: &mut Section, results: Vec<SamegameResult>) {
    section.table(totals(&results));
    section.findings(findings(&results));
    if let Some(chart) = curve(&results) {
        let caption = format!(
            "Total points against processor time a position. The dotted line is SP-MCTS(3) of the paper, {} in two hours.",
            grouped(SP_MCTS_3)
        );
        section.figure(Figure::new("samegame-budget", chart, caption));
    }
    each(section, &results);
}

/// Published programs and ours by their totals, the best one last.
fn totals(results: &[SamegameResult]) -> PageTable {
    let mut lines = Vec::new();
    for program in programs() {
        let mut line = vec![format!("{} (published)", program.name), grouped(program.total)];
        line.resize(6, String::new());
        lines.push((program.total as i64, line));
    }
    for result in results {
        let nodes = grouped(result.row.mean_nodes.round() as u64);
        let line = vec![name(result), total(result), mean(result), cleared(result), nodes, cpu_time(result)];
        lines.push((result.row.total, line));
    }
    lines.sort_by_key(|(total, _)| *total);
    let header = PageTable::new(["program", "total", "mean", "cleared", "nodes a position", "CPU time a position"]);
    PageTable { rows: lines.into_iter().map(|(_, line)| line).collect(), ..header }
}

/// The points on all positions.
fn total(result: &SamegameResult) -> String {
    score(result.row.total as f64)
}

/// An algorithm in words, with its budget where it has one.
fn name(result: &SamegameResult) -> String {
    if result.name() == "sp-mcts" {
        format!("{}, {}", family(result), budget_words(&result.row.budget))
    } else {
        format!("`{}`", result.row.algorithm)
    }
}

/// SP-MCTS in words, or in its options where they are not the paper's, without its budget.
fn family(result: &SamegameResult) -> String {
    if matches!(origin(result), Origin::Here) || result.option("games", "1") != "1" {
        format!("`{}`", result.row.algorithm)
    } else {
        short(result)
    }
}

/// SP-MCTS in few words, without budget.
fn short(result: &SamegameResult) -> String {
    let games = match result.option("games", "1") {
        "1" => String::new(),
        several => format!(", the best of {several} games"),
    };
    let tuned = match origin(result) {
        Origin::Manual => "",
        Origin::Paper => ", tuned by the paper",
        Origin::Here => ", tuned here",
    };
    format!("{}{games}{tuned}", form(result))
}

/// SP-MCTS in words without budget and settings.
fn form(result: &SamegameResult) -> String {
    let scope = if is_per_move(result) { "per move" } else { "per game" };
    match result.option("searches", "1") {
        "1" => format!("SP-MCTS {scope}"),
        several => format!("SP-MCTS {scope}, {several} searches"),
    }
}

/// The result with the highest total among those for which `is` holds.
fn best(results: &[SamegameResult], is: impl Fn(&SamegameResult) -> bool) -> Option<&SamegameResult> {
    results.iter().filter(|result| is(result)).max_by_key(|result| result.row.total)
}

fn findings(results: &[SamegameResult]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let reaches = |result: &SamegameResult, wanted: u64| PaperVerdict::when(result.row.total >= wanted as i64);
    if let Some(result) = best(results, |result| result.name() == "sp-mcts") {
        let time = result.cpu_seconds.map_or(String::new(), |cpu| format!(" in {} a position", seconds(cpu)));
        findings.push(
            Finding::new(
                format!("SP-MCTS(3) makes {} in two hours a position.", grouped(SP_MCTS_3)),
                format!("SP-MCTS makes {} here{time}: {}.", total(result), name(result)),
                reaches(result, SP_MCTS_3),
            )
            .apart(100.0 * (1.0 - result.row.total as f64 / SP_MCTS_3 as f64)),
        );
        findings.push(Finding::new(
            "All versions of SP-MCTS clear all 20 boards.",
            format!("It clears {} here.", counted(result.row.cleared as u64, "board")),
            PaperVerdict::when(result.row.cleared == result.row.boards),
        ));
    }
    if let Some(result) = best(results, |_| true) {
        findings.push(Finding::new(
            format!("The best of ours is to make {} (not a figure of the paper).", grouped(BEST_WANTED)),
            format!("{} makes {} and clears {} boards.", name(result), total(result), result.row.cleared),
            reaches(result, BEST_WANTED),
        ));
    }
    findings
}

/// Totals against processor time, if every result has one.
fn curve(results: &[SamegameResult]) -> Option<Chart> {
    let times = results.iter().map(|result| result.cpu_seconds.filter(|&time| time > 0.0));
    let times = times.collect::<Option<Vec<_>>>()?;
    let appearances =
        [(2, Marker::Circle), (4, Marker::Square), (5, Marker::Triangle), (3, Marker::Inverted), (6, Marker::Diamond)];
    // By algorithm: settings that are the same in few words may differ.
    let mut series: Vec<(&str, DataSeries)> = Vec::new();
    for (result, &time) in results.iter().zip(&times) {
        let is_sp_mcts = result.name() == "sp-mcts";
        let key = if is_sp_mcts { &result.row.algorithm } else { result.name() };
        let point = Point::new(time, result.row.total as f64);
        match series.iter_mut().find(|(known, _)| *known == key) {
            Some((_, series)) => series.points.push(point),
            None => {
                let (tone, marker) = appearances[series.len() % appearances.len()];
                // Rivals of one name differ in their options.
                let new = if is_sp_mcts {
                    DataSeries::new(short(result), Appearance::solid(tone, marker), Joining::Line, [point])
                } else {
                    DataSeries::new(key, Appearance::dashed(tone, marker), Joining::Apart, [point])
                };
                series.push((key, new));
            }
        }
    }
    for (_, series) in &mut series {
        series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let totals = results.iter().map(|result| result.row.total as f64).chain([SP_MCTS_3 as f64]);
    let chart = Chart::new(
        "Total points on the standard 20 positions against processor time",
        Axis::log("processor time a position", times.into_iter(), Values::Seconds),
        points_axis("points", totals),
        series.into_iter().map(|(_, series)| series).collect(),
    );
    Some(chart.with(Guide::Level(SP_MCTS_3 as f64)))
}

/// The points on each position: published ones, the best result of every form of SP-MCTS here, and the best rival.
fn each(section: &mut Section, results: &[SamegameResult]) {
    let mut ours: Vec<&SamegameResult> = Vec::new();
    for result in results.iter().filter(|result| result.scores.len() == 20) {
        let kind = |result: &SamegameResult| if result.name() == "sp-mcts" { family(result) } else { String::new() };
        match ours.iter_mut().find(|known| kind(known) == kind(result)) {
            Some(known) if known.row.total < result.row.total => *known = result,
            Some(_) => {}
            None => ours.push(result),
        }
    }
    if ours.is_empty() {
        return;
    }
    let names: Vec<_> = ours.iter().map(|result| name(result)).collect();
    let mut shown = PageTable::new(["position"].into_iter().chain(SHOWN).chain(names.iter().map(String::as_str)));
    let mut published = programs();
    published.retain(|program| SHOWN.contains(&program.name.as_str()));
    for position in 0..20 {
        let mut line = vec![(position + 1).to_string()];
        line.extend(published.iter().map(|program| grouped(program.points[position])));
        line.extend(ours.iter().map(|result| score(result.scores[position].into())));
        shown.rows.push(line);
    }
    section.say("Points on each position: four published programs, and what makes most here in each form.");
    section.table(shown);
}

/// The boards of the paper's tables 1 to 4 and of figure 2.
pub(super) fn own_boards(section: &mut Section, results: Vec<SamegameResult>) {
    section.say(
        "Very probably the paper's own test set, so that its means and ours are of the same boards. Table 2 has 10^5 nodes; its time per \
         move, 20 seconds, is about as many; its ten restarts share 5 x 10^5.",
    );
    let settings = |result: &SamegameResult| {
        let name = setting(result).map_or(String::new(), |setting| format!(", {}", SETTINGS[setting].name));
        form(result) + &name
    };
    let words = |value: Option<f64>| value.map_or(String::new(), score);
    section.table(
        PageTable::of(&results)
            .left("settings", settings)
            .right("budget", |result| budget_words(&result.row.budget))
            .right("here", mean)
            .right("paper", |result| words(published(result).0))
            .right("deepest node", deepest)
            .right("paper", |result| words(published(result).1))
            .right("CPU time a board", cpu_time),
    );
    let compared: Vec<_> = results.iter().filter_map(|result| Some(result.row.mean >= published(result).0?)).collect();
    let above = compared.iter().filter(|is_above| **is_above).count();
    if !compared.is_empty() {
        section.findings([Finding::new(
            "The means of tables 2 and 3 and of ten restarts, on these boards.",
            format!("{above} of {} means are no lower here.", compared.len()),
            PaperVerdict::of_cases(above, compared.len()),
        )]);
    }
}

/// What the paper has for the settings of a result: mean, and deepest node.
fn published(result: &SamegameResult) -> (Option<f64>, Option<f64>) {
    let manual = origin(result) == Origin::Manual;
    match (result.option("searches", "1"), is_per_move(result)) {
        ("1", false) => {
            let found = setting(result).zip(nodes(result)).map(|(setting, nodes)| SETTINGS[setting].results[nodes]);
            (found.map(|of| of[0]), found.map(|of| of[3]))
        }
        ("1", true) if manual => (paper_at(result).map(|(_, of)| of[2]), None),
        ("10", false) if manual && result.limit("nodes") == Some(500_000) => (Some(TEN_RESTARTS), None),
        _ => (None, None),
    }
}
