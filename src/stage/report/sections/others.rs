//! Other tables of games, shown as they are.

use mineflow_document::numbers::{grouped, with_interval};
use mineflow_document::{PageTable, Section};
use mineflow_stage_measure::eval::EvalRow;

/// A table of games under its title.
pub(crate) fn games(section: &mut Section, title: &str, rows: &[EvalRow]) {
    section.heading(title);
    section.table(
        PageTable::of(rows)
            .left("player", |row| format!("`{}`", row.player))
            .left("board", EvalRow::board)
            .right("games", |row| grouped(row.games))
            .right("won, %", |row| with_interval(row.estimate()))
            .right("games a CPU second", |row| {
                row.cpu_seconds
                    .map_or_else(String::new, |seconds| grouped((row.games as f64 / seconds.max(1e-9)).round() as u64))
            }),
    );
}
