//! A table to play at.

use std::time::Duration;

use mineflow_minesweeper::FirstClick;
use mineflow_minesweeper::play::{Command, Effect, Settings, Table};

pub const NOON: Duration = Duration::ZERO;

/// A table with game 0 of seed 1, and 7.0 to ask.
pub fn table(board: &str) -> Table {
    table_with(board, "7.0", 1_000_000)
}

pub fn table_with(board: &str, player: &str, node_limit: u64) -> Table {
    Table::new(Settings {
        board: board.parse().unwrap(),
        first_click: FirstClick::Safe,
        seed: 1,
        game: 0,
        line_up: vec!["7.0".to_owned(), "4.0".to_owned()],
        player: player.parse().unwrap(),
        node_limit,
        value_model: |_, _| None,
    })
}

/// Does it at noon, where nothing is left to do outside.
pub fn press(table: &mut Table, command: Command) {
    assert_eq!(table.handle(command, NOON), Effect::Nothing);
}
