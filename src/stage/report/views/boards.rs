//! Positions in which players guess differently, drawn, with what each guess is worth.

use super::Request;
use crate::data::Data;
use crate::error::ReportError;
use crate::files::{csv_rows, ratio};
use crate::row::Row;
use crate::sources::Sources;
use crate::template::fill;
use mineflow_document::numbers::{list, percent};
use mineflow_document::{BoardFigure, BoardMark, PageBlock, PageTable, Section};
use mineflow_stage_measure::guesses::GuessRow;

/// The guesses of players, as `pipeline guesses` writes them.
pub(super) fn positions(request: &Request<'_>) -> Result<Data, ReportError> {
    let rows = request.rows(|path| csv_rows(path, check))?;
    Ok(Data::of(rows.iter().map(Row::of).collect()))
}

fn check(row: &GuessRow) -> Result<(), String> {
    ratio("mine", row.mine)?;
    ratio("win", row.win)?;
    let cell = row.view.split('/').nth(row.row).and_then(|line| line.chars().nth(row.column));
    match cell {
        Some(cell) if !cell.is_ascii_digit() => Ok(()),
        Some(_) => Err(format!("the cell ({}, {}) is open", row.row, row.column)),
        None => Err(format!("the cell ({}, {}) is off the board", row.row, row.column)),
    }
}

/// A cell with those who choose it.
type Choice<'a> = (&'a Row, Vec<&'a str>);

/// A heading, a board and a table for each position.
pub(crate) fn put(section: &mut Section, data: &Data, sources: &Sources<'_>) -> Result<(), ReportError> {
    for rows in data.rows.chunk_by(|a, b| a.number("position") == b.number("position")) {
        let place = |row: &Row| ["row", "column"].map(|name| row.number(name).unwrap_or(0.0) as usize);
        let value = |row: &Row, name: &str| row.number(name).unwrap_or(0.0);
        let mut choices: Vec<Choice<'_>> = Vec::new();
        for row in rows {
            match choices.iter_mut().find(|(known, _)| place(known) == place(row)) {
                Some((_, players)) => players.push(row.text("player")),
                None => choices.push((row, vec![row.text("player")])),
            }
        }
        choices.sort_by(|a, b| value(b.0, "win").total_cmp(&value(a.0, "win")));
        let choices: Vec<(char, Choice<'_>)> = ('A'..='Z').zip(choices).collect();
        let said = |template: &str| fill(template, &rows[0]).unwrap_or_default();
        let percent = |row: &Row, name: &str| percent(value(row, name));
        let mark = |(letter, (row, players)): &(char, Choice<'_>)| {
            let title =
                format!("{letter}, {}: mine {} %, win {} %", list(players), percent(row, "mine"), percent(row, "win"));
            let [row, column] = place(row);
            BoardMark { row, column, letter: *letter, title }
        };
        section.heading(said("Position {position}: {board}, game {game}"));
        section.blocks.push(PageBlock::Board(Box::new(BoardFigure {
            id: said("guesses-{position}"),
            title: said("Position {position} with the cells that players choose"),
            rows: rows[0].text("view").split('/').map(str::to_owned).collect(),
            marks: choices.iter().map(mark).collect(),
            sources: data.files.iter().map(|file| sources.describe(file)).collect::<Result<_, _>>()?,
        })));
        let best = choices.first().map_or(0.0, |(_, (row, _))| value(row, "win"));
        section.table(
            PageTable::of(&choices)
                .left("cell", |(letter, _)| letter.to_string())
                .left("players", |(_, (_, players))| list(players))
                .right("mine, %", |(_, (row, _))| percent(row, "mine"))
                .right("win, %", |(_, (row, _))| percent(row, "win"))
                .right("points lost", |(_, (row, _))| format!("{:.2}", 100.0 * (best - value(row, "win")))),
        );
    }
    Ok(())
}
