//! What the tables of SameGame have in common.

use std::collections::BTreeSet;

use crate::papers::sp_mcts::{PARAMETERS, SETTINGS};
use crate::read::SamegameResult;
use mineflow_document::chart::{Axis, extent};
use mineflow_document::numbers::{grouped, list, score_with_interval, seconds};
use mineflow_document::{Estimate, Finding, PaperVerdict};

/// A budget with the number of boards that it was played on.
pub(super) type BudgetOnBoards = (String, usize);

/// The mean score with its interval.
pub(super) fn mean(result: &SamegameResult) -> String {
    score_with_interval(result.estimate())
}

/// Boards cleared.
pub(super) fn cleared(result: &SamegameResult) -> String {
    format!("{} of {}", result.row.cleared, result.row.boards)
}

/// The deepest node, if there is a tree.
pub(super) fn deepest(result: &SamegameResult) -> String {
    result.row.mean_deepest.map_or(String::new(), |depth| format!("{depth:.1}"))
}

/// Processor time a board, where it is known.
pub(super) fn cpu_time(result: &SamegameResult) -> String {
    result.cpu_seconds.map_or(String::new(), seconds)
}

/// An axis that holds these scores with some air, its ends multiples of 100.
pub(super) fn points_axis(label: &str, scores: impl Iterator<Item = f64>) -> Axis {
    let (low, high) = extent(scores);
    Axis::linear(label, (low / 100.0 - 0.5).floor() * 100.0, (high / 100.0 + 0.5).ceil() * 100.0, 0)
}

/// The budgets of results, smallest first.
pub(super) fn budgets(results: &[SamegameResult]) -> Vec<BudgetOnBoards> {
    let limit = |result: &SamegameResult| result.limit("nodes").or_else(|| result.limit("playouts"));
    let key = |result: &SamegameResult| (limit(result), result.row.budget.clone(), result.row.boards);
    let all: BTreeSet<_> = results.iter().map(key).collect();
    all.into_iter().map(|(_, budget, boards)| (budget, boards)).collect()
}

/// The results with this budget on this number of boards.
pub(super) fn at<'a>(
    results: &'a [SamegameResult],
    (budget, boards): &BudgetOnBoards,
) -> impl Iterator<Item = &'a SamegameResult> {
    results.iter().filter(move |result| result.row.budget == *budget && result.row.boards == *boards)
}

/// A budget in words.
pub(super) fn budget_words(budget: &str) -> String {
    let limit = |limit: &str| match limit.split_once('=').map(|(what, amount)| (what, amount.parse::<u64>())) {
        Some((what, Ok(amount))) => format!("{} {}", grouped(amount), what),
        _ => limit.to_owned(),
    };
    budget.split('+').map(limit).collect::<Vec<_>>().join(", ")
}

/// A budget and its boards in words.
pub(super) fn place((budget, boards): &BudgetOnBoards) -> String {
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

/// Whether SP-MCTS is run for every move.
pub(super) fn is_per_move(result: &SamegameResult) -> bool {
    result.option("per", "game") == "move"
}

/// The value of one of the parameters of table 5.
fn parameter(result: &SamegameResult, key: &str, usual: f64) -> f64 {
    result.option(key, "").parse().unwrap_or(usual)
}

/// Whether rewards are in hundreds of points.
pub(super) fn has_usual_unit(result: &SamegameResult) -> bool {
    result.option("unit", "100") == "100"
}

/// Whose settings SP-MCTS has.
pub(super) fn origin(result: &SamegameResult) -> Origin {
    let has = |column: usize| {
        has_usual_unit(result)
            && PARAMETERS.iter().all(|(key, values)| (parameter(result, key, values[0]) - values[column]).abs() < 1e-9)
    };
    match () {
        () if has(0) => Origin::Manual,
        () if has(1) || has(2) => Origin::Paper,
        () => Origin::Here,
    }
}

/// Which setting of table 2 a row has, if it has one.
pub(super) fn setting(result: &SamegameResult) -> Option<usize> {
    let (c, d) = (parameter(result, "c", 0.1), parameter(result, "d", 32.0));
    SETTINGS.iter().position(|setting| (setting.c - c).abs() < 1e-9 && (setting.d - d).abs() < 1e-9)
}

/// What the paper says is better, held against differences here, each at a place.
pub(super) fn better(paper: &str, differences: &[(String, Estimate)]) -> Option<Finding> {
    let names = |is: fn(Estimate) -> bool| -> Vec<_> {
        differences.iter().filter(|(_, of)| is(*of)).map(|(at, of)| format!("{at} ({:+.0})", of.value)).collect()
    };
    let (above, below) = (names(Estimate::is_above_zero), names(Estimate::is_below_zero));
    let unsure = names(|of| !of.is_above_zero() && !of.is_below_zero());
    let parts = [("above", &above), ("below", &below), ("within the interval", &unsure)];
    let said = parts.iter().filter(|(_, names)| !names.is_empty());
    let said: Vec<_> = said.map(|(place, names)| format!("{place} at {}", list(names))).collect();
    (!differences.is_empty()).then(|| {
        let agreement = PaperVerdict::of_sides(above.len(), below.len(), differences.len());
        Finding::new(paper, format!("Here {}, in points.", said.join("; ")), agreement)
    })
}
