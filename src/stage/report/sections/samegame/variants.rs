//! Other readings of the paper, and other algorithms.

use super::parts::{cleared, cpu_time, deepest, mean, place};
use crate::read::SamegameResult;
use mineflow_document::numbers::{gain, list};
use mineflow_document::{PageTable, Section};

/// The algorithm as it is typed.
fn algorithm(result: &SamegameResult) -> String {
    format!("`{}`", result.row.algorithm)
}

/// Readings against the first of them.
pub(super) fn variants(section: &mut Section, results: Vec<SamegameResult>) {
    let first = &results[0];
    let more = |result: &SamegameResult| if result == first { String::new() } else { gain(result.minus(first)) };
    section.say(format!("{}.", place(&(first.row.budget.clone(), first.row.boards))));
    section.table(
        PageTable::of(&results)
            .left("algorithm", algorithm)
            .right("points", mean)
            .right("more than the first", more)
            .right("deepest node", deepest)
            .right("CPU time a board", cpu_time),
    );
    let those = |is: &dyn Fn(&SamegameResult) -> bool| -> Vec<_> {
        results[1..].iter().filter(|result| is(result)).map(algorithm).collect()
    };
    section.say(format!(
        "Better than the first beyond the interval: {}. Worse: {}. The others can't be told from it.",
        list(&those(&|result| result.minus(first).is_above_zero())),
        list(&those(&|result| result.minus(first).is_below_zero()))
    ));
}

/// The rivals, best first.
pub(super) fn rivals(section: &mut Section, mut results: Vec<SamegameResult>) {
    results.sort_by(|a, b| b.row.mean.total_cmp(&a.row.mean));
    section.table(
        PageTable::of(&results)
            .left("algorithm", algorithm)
            .right("points", mean)
            .right("cleared", cleared)
            .right("CPU time a board", cpu_time),
    );
    if let Some(ours) = results.iter().find(|result| result.name() == "sp-mcts") {
        let is_quicker = |other: &&SamegameResult| {
            other.row.mean > ours.row.mean && other.cpu_seconds.zip(ours.cpu_seconds).is_some_and(|(a, b)| a <= b)
        };
        let quicker: Vec<_> = results.iter().filter(is_quicker).map(algorithm).collect();
        section.say(format!(
            "{} makes most. Of SP-MCTS {} does; with no more time than that, more is made by {}.",
            algorithm(&results[0]),
            algorithm(ours),
            list(&quicker)
        ));
    }
}
