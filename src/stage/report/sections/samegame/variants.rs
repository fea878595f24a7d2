//! Other readings of the paper, and other algorithms.

use super::parts::{place, table};
use super::{Page, RANDOM};
use crate::document::Block;
use crate::document::numbers::{gain, list, score_with_interval, seconds};
use crate::stage::report::error::ReportError;
use crate::stage::report::read::SamegameRow;

/// Each stage of readings, against its first one.
pub(super) fn variants(page: &mut Page<'_>) -> Result<(), ReportError> {
    for (stage, title) in
        [("variants-game", "Other readings, one search a game"), ("variants-move", "Other readings, a search a move")]
    {
        let rows = page.begin(title, RANDOM, &[stage])?;
        let Some((first, others)) = rows.split_first() else {
            continue;
        };
        let mut shown = table(&["algorithm", "points", "more than the first", "deepest node", "CPU time a board"]);
        for row in &rows {
            let difference = if row == first { String::new() } else { gain(row.minus(first)) };
            shown.rows.push(vec![
                format!("`{}`", row.algorithm),
                score_with_interval(row.estimate()),
                difference,
                row.mean_deepest.map_or(String::new(), |depth| format!("{depth:.1}")),
                row.cpu_seconds.map_or(String::new(), seconds),
            ]);
        }
        page.section.say(format!("{}.", place(&(first.budget.clone(), first.boards))));
        page.put(Block::Table(shown));
        let those = |is: &dyn Fn(&SamegameRow) -> bool| -> Vec<_> {
            others.iter().filter(|row| is(row)).map(|row| format!("`{}`", row.algorithm)).collect()
        };
        let above = those(&|row| row.minus(first).is_above_zero());
        let below = those(&|row| row.minus(first).is_below_zero());
        page.section.say(format!(
            "Better than the first beyond the interval: {}. Worse: {}. The others can't be told from it.",
            list(&above),
            list(&below)
        ));
    }
    Ok(())
}

/// The rivals, best first.
pub(super) fn rivals(page: &mut Page<'_>) -> Result<(), ReportError> {
    let mut rows = page.begin("Other algorithms", RANDOM, &["rivals"])?;
    if rows.is_empty() {
        return Ok(());
    }
    rows.sort_by(|a, b| b.estimate().value.total_cmp(&a.estimate().value));
    let mut shown = table(&["algorithm", "points", "cleared", "CPU time a board"]);
    for row in &rows {
        shown.rows.push(vec![
            format!("`{}`", row.algorithm),
            score_with_interval(row.estimate()),
            format!("{} of {}", row.cleared, row.boards),
            row.cpu_seconds.map_or(String::new(), seconds),
        ]);
    }
    page.put(Block::Table(shown));
    if let Some((best, ours)) = rows.first().zip(rows.iter().find(|row| row.name() == "sp-mcts")) {
        let quicker = rows.iter().filter(|row| row.estimate().value > ours.estimate().value);
        let quicker = quicker.filter(|row| row.cpu_seconds.zip(ours.cpu_seconds).is_some_and(|(a, b)| a <= b));
        let names: Vec<_> = quicker.map(|row| format!("`{}`", row.algorithm)).collect();
        page.section.say(format!(
            "`{}` makes most. Of SP-MCTS `{}` does; with no more time than that, more is made by {}.",
            best.algorithm,
            ours.algorithm,
            list(&names)
        ));
    }
    Ok(())
}
