//! A page a version: recipe, artifact, commands.

use crate::document::numbers::{grouped, percent, quoted, with_interval};
use crate::document::{Align, Block, Table};
use crate::stage::report::inputs::{Model, Version};
use crate::stage::report::papers::minesweeper::table_4;
use crate::stage::report::read::GameRow;

/// What there is to say of a version, one of these `names`. `rows` are those of any table of games.
pub(crate) fn version(version: &Version, names: &[&str], rows: &[GameRow]) -> Vec<Block> {
    let Version { name, recipe, summary, source, model } = version;
    let mut blocks = vec![Block::Text(format!("{summary} ({source}). Recipe: `{recipe}`"))];
    if let Some(model) = model {
        blocks.extend(artifact(model));
    }
    let mut table = Table::new(&[
        ("board", Align::Left),
        ("first click", Align::Left),
        ("games", Align::Right),
        ("won, %", Align::Right),
    ]);
    let mut shown: Vec<&GameRow> = Vec::new();
    for row in rows.iter().filter(|row| row.player == *name && is_standard(row)) {
        let place = |row: &GameRow| (row.width, row.height, row.mines, row.first_click.clone());
        if shown.iter().all(|other| place(other) != place(row)) {
            shown.push(row);
            table.rows.push(vec![
                format!("{}x{}/{}", row.width, row.height, row.mines),
                row.first_click.clone(),
                grouped(row.games.into()),
                with_interval(row.estimate()),
            ]);
        }
    }
    if !table.rows.is_empty() {
        blocks.push(Block::Table(table));
    }
    if let Some(paper) = table_4(name) {
        blocks.push(Block::Text(format!("The paper's table 4 has {} % on 9x9 with 10 mines.", percent(paper))));
    }
    let mut commands: Vec<_> = shown.chunk_by(|a, b| differ_in_click(a, b)).map(|rows| command(rows, names)).collect();
    commands.extend(model.as_ref().map(|model| format!("pipeline models show {}", quoted(&model.shown_by))));
    if !commands.is_empty() {
        blocks.push(Block::Commands(commands));
    }
    blocks
}

/// Whether rows of one player differ in nothing but the promise of the first click, and so come of one command.
fn differ_in_click(a: &GameRow, b: &GameRow) -> bool {
    let board = |row: &GameRow| (row.width, row.height, row.mines, row.games);
    board(a) == board(b) && a.played == b.played
}

/// The command that gives these rows, which differ in the first click alone.
fn command(rows: &[&GameRow], names: &[&str]) -> String {
    let row = rows[0];
    let player = &row.player;
    let mut text = format!("pipeline eval --players {player}");
    if let Some(model) = row.played.as_ref().and_then(|played| played.model(player, names)) {
        text += &format!(" --model {}", quoted(&format!("{player}={model}")));
    }
    let clicks: Vec<_> = rows.iter().map(|row| row.first_click.as_str()).collect();
    let (width, height, mines) = (row.width, row.height, row.mines);
    text += &format!(" --boards {width}x{height}/{mines} --first-click {} --games {}", clicks.join(","), row.games);
    text + &row.played.as_ref().map_or_else(String::new, |played| played.arguments())
}

/// Beginner, intermediate and expert.
fn is_standard(row: &GameRow) -> bool {
    [(9, 9, 10), (16, 16, 40), (30, 16, 99)].contains(&(row.width, row.height, row.mines))
}

fn artifact(model: &Model) -> Vec<Block> {
    let Model { file, sha256, features, contents, made, .. } = model;
    let mut table = Table::new(&[("artifact", Align::Left), ("", Align::Left)]);
    let mut row = |name: &str, text: String| table.rows.push(vec![name.to_owned(), text]);
    row("file", format!("`{file}`"));
    row("SHA-256", format!("`{sha256}`"));
    row("features", format!("`{features}`"));
    row("contents", contents.clone());
    for (name, text) in made {
        row(name, text.clone());
    }
    vec![Block::Table(table)]
}
