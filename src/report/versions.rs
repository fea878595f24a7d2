//! The page of all versions: recipe, artifact, commands.

use std::path::PathBuf;

use super::games::GameTable;
use super::inputs::{Inputs, NamedPlayer, PlayerModel};
use super::played::PlayedSettings;
use super::views::table_4;
use crate::page::{PageBlock, Section};
use mineflow_arena::PageTable;
use mineflow_arena::numbers::{grouped, percent, with_interval};
use mineflow_tasks::eval::EvalRow;
use mineflow_tasks::models::{Description, Shape};

/// A row with the settings of its table.
type PlayedRow<'a> = (&'a EvalRow, Option<&'a PlayedSettings>);

/// A section for each version.
pub(super) fn versions(inputs: &Inputs, tables: &[(PathBuf, GameTable)]) -> Vec<Section> {
    let names: Vec<_> = inputs
        .versions
        .iter()
        .map(|version| version.name.as_str())
        .collect();
    inputs
        .versions
        .iter()
        .map(|of| version(of, &names, tables))
        .collect()
}

/// The section of a version, one of these `names`.
fn version(version: &NamedPlayer, names: &[&str], tables: &[(PathBuf, GameTable)]) -> Section {
    let NamedPlayer {
        name,
        recipe,
        summary,
        source,
        model,
    } = version;
    let mut section = Section::new(name, name);
    section.say(format!("{summary} ({source}). Recipe: `{recipe}`"));
    if let Some(model) = model {
        section.table(artifact(model));
    }
    let shown = played(name, tables);
    if !shown.is_empty() {
        section.table(
            PageTable::of(&shown)
                .left("board", |(row, _)| row.board())
                .left("first click", |(row, _)| row.first_click.clone())
                .right("games", |(row, _)| grouped(row.games))
                .right("won, %", |(row, _)| with_interval(row.won())),
        );
    }
    if let Some(paper) = table_4(name) {
        section.say(format!(
            "The paper's table 4 has {} % on 9x9 with 10 mines.",
            percent(paper)
        ));
    }
    let mut commands: Vec<_> = shown
        .chunk_by(differ_in_click)
        .map(|rows| command(rows, names))
        .collect();
    commands.extend(
        model
            .as_ref()
            .map(|model| format!("pipeline models show {}", quoted(&model.shown_by))),
    );
    if !commands.is_empty() {
        section.blocks.push(PageBlock::Commands(commands));
    }
    section
}

/// The first row of a player on each standard board under each rule.
fn played<'a>(name: &str, tables: &'a [(PathBuf, GameTable)]) -> Vec<PlayedRow<'a>> {
    let mut shown: Vec<PlayedRow<'_>> = Vec::new();
    let rows = tables
        .iter()
        .flat_map(|(_, table)| table.rows.iter().map(|row| (row, table.played.as_ref())));
    for (row, played) in rows.filter(|(row, _)| row.player == name && is_standard(row)) {
        let place = |row: &EvalRow| (row.board(), row.first_click.clone());
        if shown.iter().all(|(other, _)| place(other) != place(row)) {
            shown.push((row, played));
        }
    }
    shown
}

/// Whether rows of one player differ in nothing but the promise of the first click, and so come of one command.
fn differ_in_click((a, a_played): &PlayedRow<'_>, (b, b_played): &PlayedRow<'_>) -> bool {
    (a.board(), a.games) == (b.board(), b.games) && a_played == b_played
}

/// The command that gives these rows, which differ in the first click alone.
fn command(rows: &[PlayedRow<'_>], names: &[&str]) -> String {
    let (row, played) = rows[0];
    let player = &row.player;
    let mut text = format!("pipeline eval --players {player}");
    if let Some(model) = played.and_then(|played| played.model(player, names)) {
        text += &format!(" --model {}", quoted(&format!("{player}={model}")));
    }
    let clicks: Vec<_> = rows
        .iter()
        .map(|(row, _)| row.first_click.as_str())
        .collect();
    text += &format!(
        " --boards {} --first-click {} --games {}",
        row.board(),
        clicks.join(","),
        row.games
    );
    text + &played.map_or_else(String::new, PlayedSettings::arguments)
}

/// A word of a command line for a shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "+,-./:=@_".contains(c);
    if word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// Beginner, intermediate and expert.
fn is_standard(row: &EvalRow) -> bool {
    [(9, 9, 10), (16, 16, 40), (30, 16, 99)].contains(&(row.width, row.height, row.mines))
}

fn artifact(
    PlayerModel {
        description, made, ..
    }: &PlayerModel,
) -> PageTable {
    let Description {
        file,
        sha256,
        features,
        ..
    } = description;
    let code = |text: &str| format!("`{text}`");
    let mut rows = vec![
        ("file".to_owned(), code(file)),
        ("SHA-256".to_owned(), code(sha256)),
        (
            "features".to_owned(),
            code(features.as_deref().unwrap_or("")),
        ),
        ("contents".to_owned(), contents(description)),
    ];
    rows.extend(made.iter().cloned());
    PageTable::of(&rows)
        .left("artifact", |(name, _)| name.clone())
        .left("", |(_, text)| text.clone())
        .into()
}

/// What stands inside an artifact.
fn contents(description: &Description) -> String {
    match &description.shape {
        Shape::Mlp { layers, parameters } => {
            let layers: Vec<_> = layers
                .iter()
                .map(|layer| format!("{} {}", layer.outputs, layer.activation))
                .collect();
            format!(
                "{} inputs, layers of {}; {parameters} parameters",
                description.inputs,
                layers.join(", ")
            )
        }
        Shape::Forest {
            objective,
            trees,
            depth,
            nodes,
            ..
        } => {
            format!("{trees} trees of depth {depth}, {nodes} nodes, {objective}")
        }
        Shape::Linear { theta } => {
            format!("theta {}", theta.map(|theta| theta.to_string()).join(", "))
        }
    }
}
