//! Table 7: the standard 20 positions.

use super::super::{Request, unique};
use super::published::{PaperProgram, programs};
use super::result::{Origin, SamegameResult, read};
use crate::data::Data;
use crate::error::ReportError;
use crate::row::Row;
use mineflow_arena::Estimate;

/// The published programs whose positions stand beside ours.
const SHOWN: [&str; 4] = ["SP-MCTS(1)", "SP-MCTS(2)", "SP-MCTS(3)", "SPURIOUS AI"];
const POSITIONS: usize = 20;
/// Section 6.7: a thousand searches of as many nodes, which take about two hours a position.
const NODES: u64 = 100_000_000;
/// The forms of SP-MCTS in the table: a search per move or per game, how many searches, whose settings. (2) has the restarts of (1), as "the
/// same parameters" are read, and (3) likewise: 16 searches a move are a thousand in some 62 moves.
const FORMS: [(&str, bool, &str, Origin); 3] = [
    ("SP-MCTS(1)", false, "1000", Origin::Manual),
    ("SP-MCTS(2)", true, "16", Origin::Manual),
    ("SP-MCTS(3)", true, "16", Origin::Paper),
];
/// The looks of curves, in turn.
const LOOKS: [&str; 5] = [
    "2 circle",
    "4 square",
    "5 triangle",
    "3 inverted",
    "6 diamond",
];

/// Published programs and ours by their totals, the best one last. More rows: `ours` by the `curve` that they belong to, and the `forms` of
/// SP-MCTS in the paper's table, with what they make here at its budget; `per-move` what the second makes `more` than the first.
pub(in crate::views) fn positions(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    // By algorithm: settings that are the same in few words may differ. Rivals of one name differ in their options.
    let curve = |result: &'_ SamegameResult| {
        if result.is_sp_mcts() {
            result.row.algorithm.clone()
        } else {
            result.name().to_owned()
        }
    };
    let curves: Vec<_> = results.iter().map(curve).collect();
    let order = unique(curves.iter().map(String::as_str));
    let ours: Vec<_> = results
        .iter()
        .zip(&curves)
        .map(|(result, curve)| {
            let look =
                LOOKS[order.iter().position(|known| known == curve).unwrap_or(0) % LOOKS.len()];
            let (kind, name, look) = match result.is_sp_mcts() {
                true => ("sp-mcts", short(result), look.to_owned()),
                false => ("rival", curve.clone(), format!("dashed {look}")),
            };
            let row = result
                .values()
                .with("program", program(result))
                .with("kind", kind)
                .with("curve", curve.as_str());
            row.with("name", name).with("look", look)
        })
        .collect();
    let published = programs().into_iter().map(|program| {
        Row::default()
            .with("program", format!("{} (published)", program.name))
            .with("total", program.total)
    });
    let by_total = |a: &Row, b: &Row| a.by("total", b);
    let mut all: Vec<_> = published.chain(ours.clone()).collect();
    all.sort_by(by_total);
    let forms = programs()
        .into_iter()
        .filter_map(|program| form(&program, &results))
        .collect();
    let both = as_in_paper("SP-MCTS(2)", &results).zip(as_in_paper("SP-MCTS(1)", &results));
    let more = both.map(|(second, first)| second.minus(first).times(POSITIONS as f64));
    let per_move = vec![Row::default().with("more", more)];
    Ok(Data::of(all)
        .and("ours", ours)
        .and("forms", forms)
        .and("per-move", per_move))
}

/// A form of SP-MCTS of the paper's table: what it makes `more` here a position with the paper's settings and budget as a share of the
/// paper's mean, and how many positions it leaves `uncleared`; without these where it was not run so.
fn form(program: &PaperProgram, results: &[SamegameResult]) -> Option<Row> {
    let is_form = FORMS.iter().any(|(name, ..)| *name == program.name);
    let row = Row::default()
        .with("program", program.name.as_str())
        .with("paper", program.total);
    let Some(result) = as_in_paper(&program.name, results) else {
        return is_form.then_some(row);
    };
    let pairs = result
        .scores
        .iter()
        .zip(&program.points)
        .map(|(here, paper)| f64::from(*here) - *paper as f64);
    let more = Estimate::mean(pairs).times(POSITIONS as f64 / program.total as f64);
    let row = row
        .with("total", result.row.total as f64)
        .with("more", more);
    Some(row.with("uncleared", result.row.boards - result.row.cleared))
}

/// The result of a form of SP-MCTS with the settings and the budget of the paper's table.
fn as_in_paper<'a>(program: &str, results: &'a [SamegameResult]) -> Option<&'a SamegameResult> {
    let (_, per_move, searches, origin) = FORMS.into_iter().find(|(name, ..)| *name == program)?;
    let is_this = |result: &&SamegameResult| {
        let limit = result.limit("nodes").or_else(|| result.limit("playouts"));
        result.is_sp_mcts()
            && (
                result.is_per_move(),
                result.option("searches", "1"),
                result.origin(),
            ) == (per_move, searches, origin)
            && result.option("games", "1") == "1"
            && limit.is_some_and(|limit| limit >= NODES)
            && result.scores.len() == POSITIONS
    };
    results.iter().find(is_this)
}

/// The points on each position: published ones, the best result of every form of SP-MCTS here, and the best rival.
pub(in crate::views) fn each_position(request: &Request<'_>) -> Result<Data, ReportError> {
    let results = read(request)?;
    let kind = |result: &SamegameResult| {
        if result.is_sp_mcts() {
            family(result)
        } else {
            String::new()
        }
    };
    let mut ours: Vec<&SamegameResult> = Vec::new();
    for result in results
        .iter()
        .filter(|result| result.scores.len() == POSITIONS)
    {
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
    let columns = published
        .iter()
        .map(|program| program.name.clone())
        .chain(ours.iter().map(|result| program(result)));
    let row = |position: usize| {
        let points = published
            .iter()
            .map(|program| program.points[position] as f64);
        let points = points.chain(ours.iter().map(|result| f64::from(result.scores[position])));
        let row = Row::default().with("position", position + 1);
        points
            .enumerate()
            .fold(row, |row, (at, points)| row.with(&at.to_string(), points))
    };
    Ok(Data {
        columns: columns.collect(),
        ..Data::of((0..POSITIONS).map(row).collect())
    })
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
