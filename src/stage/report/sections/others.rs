//! Other tables of games, shown as they are.

use crate::document::numbers::{grouped, with_interval};
use crate::document::{Align, Block, Section, Table};
use crate::stage::report::read::GameRow;

/// A table of games under its title.
pub(crate) fn games(section: &mut Section, title: &str, rows: &[GameRow]) {
    section.blocks.push(Block::Heading(title.to_owned()));
    let mut table = Table::new(&[
        ("player", Align::Left),
        ("board", Align::Left),
        ("games", Align::Right),
        ("won, %", Align::Right),
        ("games a CPU second", Align::Right),
    ]);
    for row in rows {
        let rate = f64::from(row.games) / row.cpu_seconds.max(1e-9);
        table.rows.push(vec![
            format!("`{}`", row.player),
            format!("{}x{}/{}", row.width, row.height, row.mines),
            grouped(row.games.into()),
            with_interval(row.estimate()),
            grouped(rate.round() as u64),
        ]);
    }
    section.blocks.push(Block::Table(table));
}
