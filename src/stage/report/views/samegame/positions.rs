//! Table 7: the standard 20 positions.

use super::super::{Request, unique};
use super::published::programs;
use super::result::{Origin, SamegameResult, read};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;
use mineflow_document::numbers::counted;

/// The published programs whose positions stand beside ours.
const SHOWN: [&str; 4] = ["SP-MCTS(1)", "SP-MCTS(2)", "SP-MCTS(3)", "SPURIOUS AI"];
const POSITIONS: usize = 20;
/// The looks of curves, in turn.
const LOOKS: [&str; 5] = ["2 circle", "4 square", "5 triangle", "3 inverted", "6 diamond"];

/// Published programs and ours by their totals, the best one last. More rows: `ours` by the `curve` that they belong to, the best
/// `sp-mcts`, and the `best` of ours.
pub(in crate::views) fn positions(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    // By algorithm: settings that are the same in few words may differ. Rivals of one name differ in their options.
    let curve = |result: &'_ SamegameResult| {
        if result.is_sp_mcts() { result.row.algorithm.clone() } else { result.name().to_owned() }
    };
    let curves: Vec<_> = results.iter().map(curve).collect();
    let order = unique(curves.iter().map(String::as_str));
    let ours: Vec<_> = results
        .iter()
        .zip(&curves)
        .map(|(result, curve)| {
            let look = LOOKS[order.iter().position(|known| known == curve).unwrap_or(0) % LOOKS.len()];
            let (kind, name, look) = match result.is_sp_mcts() {
                true => ("sp-mcts", short(result), look.to_owned()),
                false => ("rival", curve.clone(), format!("dashed {look}")),
            };
            let row = result.values().with("program", program(result)).with("kind", kind).with("curve", curve.as_str());
            let row = row.with("name", name).with("look", look);
            let cleared = counted(result.row.cleared as u64, "board");
            row.with("clears", cleared).with("uncleared", result.row.boards - result.row.cleared)
        })
        .collect();
    let published = programs().into_iter().map(|program| {
        Row::default().with("program", format!("{} (published)", program.name)).with("total", program.total)
    });
    let by_total = |a: &Row, b: &Row| a.by("total", b);
    let mut all: Vec<_> = published.chain(ours.clone()).collect();
    all.sort_by(by_total);
    let best = |kinds: &[&str]| -> Vec<Row> {
        let of_kind = ours.iter().filter(|row| kinds.contains(&row.text("kind")));
        of_kind.max_by(|a, b| by_total(a, b)).cloned().into_iter().collect()
    };
    let (sp_mcts, first) = (best(&["sp-mcts"]), best(&["sp-mcts", "rival"]));
    Ok(Data::of(all).and("sp-mcts", sp_mcts).and("best", first).and("ours", ours))
}

/// The points on each position: published ones, the best result of every form of SP-MCTS here, and the best rival.
pub(in crate::views) fn each_position(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let kind = |result: &SamegameResult| if result.is_sp_mcts() { family(result) } else { String::new() };
    let mut ours: Vec<&SamegameResult> = Vec::new();
    for result in results.iter().filter(|result| result.scores.len() == POSITIONS) {
        match ours.iter_mut().find(|known| kind(known) == kind(result)) {
            Some(known) if known.row.total < result.row.total => *known = result,
            Some(_) => {}
            None => ours.push(result),
        }
    }
    if ours.is_empty() {
        return Ok(Data::default());
    }
    let mut published = programs();
    published.retain(|program| SHOWN.contains(&program.name.as_str()));
    let columns = published.iter().map(|program| program.name.clone()).chain(ours.iter().map(|result| program(result)));
    let row = |position: usize| {
        let points = published.iter().map(|program| program.points[position] as f64);
        let points = points.chain(ours.iter().map(|result| f64::from(result.scores[position])));
        let row = Row::default().with("position", position + 1);
        points.enumerate().fold(row, |row, (at, points)| row.with(&at.to_string(), points))
    };
    Ok(Data { columns: columns.collect(), ..Data::of((0..POSITIONS).map(row).collect()) })
}

/// An algorithm in words, with its budget where it has one.
fn program(result: &SamegameResult) -> String {
    match result.is_sp_mcts() {
        true => format!("{}, {}", family(result), result.budget()),
        false => format!("`{}`", result.row.algorithm),
    }
}

/// SP-MCTS in words, or in its options where they are not the paper's, without its budget.
fn family(result: &SamegameResult) -> String {
    match result.origin() == Origin::Here || result.option("games", "1") != "1" {
        true => format!("`{}`", result.row.algorithm),
        false => short(result),
    }
}

/// SP-MCTS in few words, without budget.
fn short(result: &SamegameResult) -> String {
    let games = match result.option("games", "1") {
        "1" => String::new(),
        several => format!(", the best of {several} games"),
    };
    let tuned = match result.origin() {
        Origin::Manual => "",
        Origin::Paper => ", tuned by the paper",
        Origin::Here => ", tuned here",
    };
    format!("{}{games}{tuned}", result.form())
}
