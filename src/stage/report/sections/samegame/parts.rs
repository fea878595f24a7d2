//! What the tables of SameGame have in common.

use std::collections::BTreeSet;

use crate::document::Estimate;
use crate::document::numbers::{grouped, list};
use crate::document::{Align, Finding, Table, Verdict};
use crate::stage::report::papers::sp_mcts::{PARAMETERS, SETTINGS};
use crate::stage::report::read::SamegameRow;

/// A table with these columns, the first one set left.
pub(super) fn table(header: &[&str]) -> Table {
    let align = |at: usize| if at == 0 { Align::Left } else { Align::Right };
    Table::new(&header.iter().enumerate().map(|(at, &name)| (name, align(at))).collect::<Vec<_>>())
}

/// The budgets of rows, with the boards that they were played on, smallest first.
pub(super) fn budgets(rows: &[SamegameRow]) -> Vec<(String, u32)> {
    let key = |row: &SamegameRow| (limit(row), row.budget.clone(), row.boards);
    let all: BTreeSet<_> = rows.iter().map(key).collect();
    all.into_iter().map(|(_, budget, boards)| (budget, boards)).collect()
}

/// The amount of a budget of one limit.
fn limit(row: &SamegameRow) -> Option<u64> {
    row.limit("nodes").or_else(|| row.limit("playouts"))
}

/// The rows with a budget on so many boards.
pub(super) fn at<'a>(
    rows: &'a [SamegameRow],
    (budget, boards): &(String, u32),
) -> impl Iterator<Item = &'a SamegameRow> {
    rows.iter().filter(move |row| row.budget == *budget && row.boards == *boards)
}

/// A budget in words.
pub(super) fn budget_words(budget: &str) -> String {
    let limit = |limit: &str| match limit.split_once('=').map(|(what, amount)| (what, amount.parse::<u64>())) {
        Some((what, Ok(amount))) => format!("{} {}", grouped(amount), what.replace("playout", "play-out")),
        _ => limit.to_owned(),
    };
    budget.split('+').map(limit).collect::<Vec<_>>().join(", ")
}

/// A budget and its boards in words.
pub(super) fn place((budget, boards): &(String, u32)) -> String {
    format!("{}, {boards} boards", budget_words(budget))
}

/// Where the settings of a row come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    Manual,
    /// Tuned by the paper, per game or per move.
    Paper,
    /// Tuned here.
    Here,
}

/// Is SP-MCTS run for every move?
pub(super) fn is_per_move(row: &SamegameRow) -> bool {
    row.option("per", "game") == "move"
}

/// The value of one of the parameters of table 5.
fn parameter(row: &SamegameRow, key: &str, usual: f64) -> f64 {
    row.option(key, "").parse().unwrap_or(usual)
}

/// Are rewards in hundreds of points?
pub(super) fn has_usual_unit(row: &SamegameRow) -> bool {
    row.option("unit", "100") == "100"
}

/// Whose settings SP-MCTS has.
pub(super) fn origin(row: &SamegameRow) -> Origin {
    let has = |column: usize| {
        has_usual_unit(row)
            && PARAMETERS.iter().all(|(key, values)| (parameter(row, key, values[0]) - values[column]).abs() < 1e-9)
    };
    match () {
        () if has(0) => Origin::Manual,
        () if has(1) || has(2) => Origin::Paper,
        () => Origin::Here,
    }
}

/// Which setting of table 2 a row has, if it has one.
pub(super) fn setting(row: &SamegameRow) -> Option<usize> {
    let (c, d) = (parameter(row, "c", 0.1), parameter(row, "d", 32.0));
    SETTINGS.iter().position(|setting| (setting.c - c).abs() < 1e-9 && (setting.d - d).abs() < 1e-9)
}

/// What the paper says is better, held against differences here, each at a place.
pub(super) fn better(paper: String, differences: &[(String, Estimate)]) -> Option<Finding> {
    let names = |is: fn(Estimate) -> bool| -> Vec<_> {
        differences.iter().filter(|(_, of)| is(*of)).map(|(at, of)| format!("{at} ({:+.0})", of.value)).collect()
    };
    let (above, below) = (names(Estimate::is_above_zero), names(Estimate::is_below_zero));
    let unsure = names(|of| !of.is_above_zero() && !of.is_below_zero());
    let parts = [("above", &above), ("below", &below), ("within the interval", &unsure)];
    let said = parts.iter().filter(|(_, names)| !names.is_empty());
    let said: Vec<_> = said.map(|(where_, names)| format!("{where_} at {}", list(names))).collect();
    (!differences.is_empty()).then(|| Finding {
        paper,
        here: format!("Here {}, in points.", said.join("; ")),
        verdict: match (above.len(), below.len()) {
            (above, 0) if above == differences.len() => Verdict::Agrees,
            (0, below) if below > 0 => Verdict::Differs,
            _ => Verdict::Partly,
        },
    })
}
