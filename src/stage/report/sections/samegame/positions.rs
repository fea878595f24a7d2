//! Table 7: the standard 20 positions; and the paper's own 250.

use super::parts::{Origin, budget_words, is_per_move, origin, setting, table};
use super::restarts::points_axis;
use super::{POSITIONS, Page};
use crate::document::chart::{Axis, Chart, Guide, Join, Look, Marker, Point, Series, Stroke};
use crate::document::numbers::{counted, grouped, score, score_with_interval, seconds};
use crate::document::{Block, Figure, Finding, Verdict};
use crate::stage::report::error::ReportError;
use crate::stage::report::papers::sp_mcts as paper;
use crate::stage::report::read::SamegameRow;

/// What the best of our algorithms is to make on the standard 20.
const BEST_WANTED: i64 = 80_000;

/// The published programs whose positions stand beside ours.
const SHOWN: [&str; 4] = ["SP-MCTS(1)", "SP-MCTS(2)", "SP-MCTS(3)", "SPURIOUS AI"];

/// Table 7.
pub(super) fn standard(page: &mut Page<'_>) -> Result<(), ReportError> {
    let rows = page.begin(
        "Table 7: the standard 20 positions",
        POSITIONS,
        &["table-7", "table-7-games", "table-7-ten-minutes", "table-7-best", "table-7-rivals"],
    )?;
    if rows.is_empty() {
        return Ok(());
    }
    let mut shown = table(&["program", "total", "mean", "cleared", "nodes a position", "CPU time a position"]);
    let published = paper::POSITIONS
        .map(|(name, total, _)| (i64::from(total), vec![format!("{name} (published)"), grouped(total.into())]));
    let mut lines: Vec<_> = published.into_iter().collect();
    lines.extend(rows.iter().map(|row| (row.total, line(row))));
    lines.sort_by_key(|(total, _)| *total);
    for (_, mut line) in lines {
        line.resize(shown.header.len(), String::new());
        shown.rows.push(line);
    }
    page.put(Block::Table(shown));
    page.put(Block::Findings(findings(&rows)));
    if let Some(chart) = curve(&rows) {
        page.put(
            Figure {
                id: "samegame-budget".to_owned(),
                chart,
                caption: format!(
                    "Total points against processor time a position. The dotted line is SP-MCTS(3) of the paper, {} in two hours.",
                    grouped(paper::SP_MCTS_3.into())
                ),
                findings: Vec::new(),
            }
            .block(),
        );
    }
    each(page, &rows);
    Ok(())
}

/// A row as a line of the table of totals.
fn line(row: &SamegameRow) -> Vec<String> {
    vec![
        name(row),
        score(row.total as f64),
        score_with_interval(row.estimate()),
        format!("{} of {}", row.cleared, row.boards),
        grouped(row.mean_nodes.round() as u64),
        row.cpu_seconds.map_or(String::new(), seconds),
    ]
}

/// An algorithm in words, with its budget where it has one.
fn name(row: &SamegameRow) -> String {
    if row.name() != "sp-mcts" {
        format!("`{}`", row.algorithm)
    } else {
        format!("{}, {}", family(row), budget_words(&row.budget))
    }
}

/// SP-MCTS in words, or in its options where they are not the paper's, without its budget.
fn family(row: &SamegameRow) -> String {
    if matches!(origin(row), Origin::Here) || row.option("games", "1") != "1" {
        format!("`{}`", row.algorithm)
    } else {
        short(row)
    }
}

/// SP-MCTS in few words, without budget.
fn short(row: &SamegameRow) -> String {
    let games = match row.option("games", "1") {
        "1" => String::new(),
        several => format!(", the best of {several} games"),
    };
    let tuned = match origin(row) {
        Origin::Manual => "",
        Origin::Paper => ", tuned by the paper",
        Origin::Here => ", tuned here",
    };
    format!("{}{games}{tuned}", form(row))
}

/// SP-MCTS in words without budget and settings.
fn form(row: &SamegameRow) -> String {
    let scope = if is_per_move(row) { "per move" } else { "per game" };
    match row.option("searches", "1") {
        "1" => format!("SP-MCTS {scope}"),
        several => format!("SP-MCTS {scope}, {several} searches"),
    }
}

/// The row with the highest total of those that `is` names.
fn best(rows: &[SamegameRow], is: impl Fn(&SamegameRow) -> bool) -> Option<&SamegameRow> {
    rows.iter().filter(|row| is(row)).max_by_key(|row| row.total)
}

fn findings(rows: &[SamegameRow]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let reached = |total: i64, wanted: i64| if total >= wanted { Verdict::Agrees } else { Verdict::Differs };
    if let Some(row) = best(rows, |row| row.name() == "sp-mcts") {
        let time = row.cpu_seconds.map_or(String::new(), |cpu| format!(" in {} a position", seconds(cpu)));
        findings.push(Finding {
            paper: format!("SP-MCTS(3) makes {} in two hours a position.", grouped(paper::SP_MCTS_3.into())),
            here: format!("SP-MCTS makes {} here{time}: {}.", score(row.total as f64), name(row)),
            verdict: reached(row.total, paper::SP_MCTS_3.into()),
        });
        findings.push(Finding {
            paper: "All versions of SP-MCTS clear all 20 boards.".to_owned(),
            here: format!("It clears {} here.", counted(row.cleared as usize, "board")),
            verdict: if row.cleared == row.boards { Verdict::Agrees } else { Verdict::Differs },
        });
    }
    if let Some(row) = best(rows, |_| true) {
        findings.push(Finding {
            paper: format!("The best of ours is to make {} (not a figure of the paper).", grouped(BEST_WANTED as u64)),
            here: format!("{} makes {} and clears {} boards.", name(row), score(row.total as f64), row.cleared),
            verdict: reached(row.total, BEST_WANTED),
        });
    }
    findings
}

/// Totals against processor time, if every row has one.
fn curve(rows: &[SamegameRow]) -> Option<Chart> {
    let times = rows.iter().map(|row| row.cpu_seconds.filter(|&time| time > 0.0)).collect::<Option<Vec<_>>>()?;
    let looks =
        [(2, Marker::Circle), (4, Marker::Square), (5, Marker::Triangle), (3, Marker::Inverted), (6, Marker::Diamond)];
    // By algorithm: settings that are the same in few words may differ.
    let mut series: Vec<(&str, Series)> = Vec::new();
    for (row, &time) in rows.iter().zip(&times) {
        let is_sp_mcts = row.name() == "sp-mcts";
        let key = if is_sp_mcts { &row.algorithm } else { row.name() };
        let point = Point { x: time, y: row.total as f64, error: None };
        match series.iter_mut().find(|(known, _)| *known == key) {
            Some((_, series)) => series.points.push(point),
            None => {
                let (tone, marker) = looks[series.len() % looks.len()];
                // Rivals of one name differ in their options.
                let (stroke, join) =
                    if is_sp_mcts { (Stroke::Solid, Join::Line) } else { (Stroke::Dashed, Join::Apart) };
                let name = if is_sp_mcts { short(row) } else { key.to_owned() };
                series.push((key, Series { name, look: Look { tone, stroke, marker }, join, points: vec![point] }));
            }
        }
    }
    for (_, series) in &mut series {
        series.points.sort_by(|a, b| a.x.total_cmp(&b.x));
    }
    let totals: Vec<_> = rows.iter().map(|row| row.total as f64).chain([f64::from(paper::SP_MCTS_3)]).collect();
    Some(Chart {
        title: "Total points on the standard 20 positions against processor time".to_owned(),
        x: Axis::log("processor time a position", times.into_iter(), seconds),
        y: points_axis("points", &totals),
        series: series.into_iter().map(|(_, series)| series).collect(),
        guides: vec![Guide::Level(paper::SP_MCTS_3.into())],
    })
}

/// The points on each position: published ones, the best row of every form of SP-MCTS here, and the best rival.
fn each(page: &mut Page<'_>, rows: &[SamegameRow]) {
    let mut ours: Vec<&SamegameRow> = Vec::new();
    for row in rows.iter().filter(|row| row.scores.len() == 20) {
        let kind = |row: &SamegameRow| if row.name() == "sp-mcts" { family(row) } else { String::new() };
        match ours.iter_mut().find(|known| kind(known) == kind(row)) {
            Some(known) if known.total < row.total => *known = row,
            Some(_) => {}
            None => ours.push(row),
        }
    }
    if ours.is_empty() {
        return;
    }
    let names: Vec<_> = ours.iter().map(|row| name(row)).collect();
    let header: Vec<_> = ["position"].into_iter().chain(SHOWN).chain(names.iter().map(String::as_str)).collect();
    let mut shown = table(&header);
    for position in 0..20 {
        let mut line = vec![(position + 1).to_string()];
        let published = SHOWN.iter().filter_map(|name| paper::POSITIONS.iter().find(|(known, ..)| known == name));
        line.extend(published.map(|(_, _, points)| grouped(points[position].into())));
        line.extend(ours.iter().map(|row| score(row.scores[position].into())));
        shown.rows.push(line);
    }
    page.section.say("Points on each position: four published programs, and what makes most here in each form.");
    page.put(Block::Table(shown));
}

/// The boards of the paper's tables 1 to 4 and of figure 2.
pub(super) fn own_boards(page: &mut Page<'_>) -> Result<(), ReportError> {
    let rows = page.begin("The paper's 250 positions", POSITIONS, &["positions-250", "positions-250-restarts"])?;
    if rows.is_empty() {
        return Ok(());
    }
    page.section.say(
        "Very probably the paper's own test set, so that its means and ours are of the same boards. Table 2 has 10^5 nodes; its time per \
         move, 20 seconds, is about as many; its ten restarts share 5 x 10^5.",
    );
    let mut shown = table(&["settings", "budget", "here", "paper", "deepest node", "paper", "CPU time a board"]);
    for row in &rows {
        let (table_2, deepest) = published(row);
        let words = |value: Option<f64>| value.map_or(String::new(), score);
        let settings = setting(row).map_or(String::new(), |setting| format!(", {}", paper::SETTINGS[setting].name));
        shown.rows.push(vec![
            format!("{}{settings}", form(row)),
            budget_words(&row.budget),
            score_with_interval(row.estimate()),
            words(table_2),
            row.mean_deepest.map_or(String::new(), |depth| format!("{depth:.1}")),
            words(deepest),
            row.cpu_seconds.map_or(String::new(), seconds),
        ]);
    }
    page.put(Block::Table(shown));
    let compared: Vec<_> = rows.iter().filter_map(|row| Some((row, published(row).0?))).collect();
    let above = compared.iter().filter(|(row, paper)| row.estimate().value >= *paper).count();
    if !compared.is_empty() {
        page.put(Block::Findings(vec![Finding {
            paper: "The means of tables 2 and 3 and of ten restarts, on these boards.".to_owned(),
            here: format!("{above} of {} means are no lower here.", compared.len()),
            verdict: match above {
                _ if above == compared.len() => Verdict::Agrees,
                0 => Verdict::Differs,
                _ => Verdict::Partly,
            },
        }]));
    }
    Ok(())
}

/// What the paper has for the settings of a row: mean, and deepest node.
fn published(row: &SamegameRow) -> (Option<f64>, Option<f64>) {
    let nodes = row.limit("nodes");
    let at = paper::NODES.iter().position(|&known| nodes == Some(known));
    let manual = origin(row) == Origin::Manual;
    match (row.option("searches", "1"), is_per_move(row)) {
        ("1", false) => {
            let found = setting(row).zip(at).map(|(setting, at)| paper::SETTINGS[setting].results[at]);
            (found.map(|of| of[0]), found.map(|of| of[3]))
        }
        ("1", true) if manual => (super::search::paper_at(row).map(|(_, of)| of[2]), None),
        ("10", false) if manual && nodes == Some(500_000) => (Some(paper::TEN_RESTARTS), None),
        _ => (None, None),
    }
}
