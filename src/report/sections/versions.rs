//! A page a version: recipe, artifact, commands.

use crate::report::document::{Align, Block, Table};
use crate::report::read::GameRow;
use crate::report::words::{grouped, percent, with_interval};
use crate::report::{Model, Version, paper};

/// What there is to say of a version. `rows` are those of any table of games.
pub(crate) fn version(version: &Version, rows: &[GameRow]) -> Vec<Block> {
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
    let mut seen = Vec::new();
    for row in rows.iter().filter(|row| row.player == *name && is_standard(row)) {
        let key = (row.width, row.height, row.mines, row.first_click.as_str());
        if !seen.contains(&key) {
            seen.push(key);
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
    if let Some(paper) = paper::table_4(name) {
        blocks.push(Block::Text(format!("The paper's table 4 has {} % on 9x9 with 10 mines.", percent(paper))));
    }
    let mut commands = vec![format!("pipeline eval --players {name} --games 20000")];
    if model.is_some() {
        commands.push(format!("pipeline models show {name}"));
    }
    blocks.push(Block::Commands(commands));
    blocks
}

/// Beginner, intermediate and expert.
fn is_standard(row: &GameRow) -> bool {
    [(9, 9, 10), (16, 16, 40), (30, 16, 99)].contains(&(row.width, row.height, row.mines))
}

fn artifact(model: &Model) -> Vec<Block> {
    let Model { file, sha256, features, contents, made } = model;
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
