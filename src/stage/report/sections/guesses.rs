//! Positions in which players guess differently, drawn, with what each guess is worth.

use std::path::Path;

use crate::error::ReportError;
use crate::read::guesses as read;
use mineflow_document::numbers::{list, percent};
use mineflow_document::{BoardFigure, BoardMark, PageBlock, PageTable, Section};
use mineflow_stage_measure::guesses::GuessRow;

/// The table, in the folder of the tables of strength.
pub(crate) const TABLE: &str = "guesses.csv";

/// A cell with those who choose it.
type Choice<'a> = (&'a GuessRow, Vec<&'a str>);

/// A board and a table a position, from the table of a folder.
pub(crate) fn guesses(folder: &Path) -> Result<Section, ReportError> {
    let mut section = Section::new("guesses", "Where players guess differently");
    let Some(rows) = read(&folder.join(TABLE))? else {
        section.miss(format!("Missing: `play/{TABLE}`. `pipeline guesses --out FILE` makes it."));
        return Ok(section);
    };
    section.say(
        "Positions in which every player has to guess, each letter a cell that somebody opens. The mine probability is exact. The chance to win is an \
         estimate: the sum over the numbers that the cell may show of their probability and the value that trees give the position seen then.",
    );
    for position in rows.chunk_by(|a, b| a.position == b.position) {
        show(&mut section, position);
    }
    Ok(section)
}

fn show(section: &mut Section, rows: &[GuessRow]) {
    let GuessRow { position, board, game, view, .. } = &rows[0];
    let mut choices: Vec<Choice<'_>> = Vec::new();
    for row in rows {
        match choices.iter_mut().find(|(known, _)| (known.row, known.column) == (row.row, row.column)) {
            Some((_, players)) => players.push(&row.player),
            None => choices.push((row, vec![&row.player])),
        }
    }
    choices.sort_by(|a, b| b.0.win.total_cmp(&a.0.win));
    let choices: Vec<(char, Choice<'_>)> = ('A'..='Z').zip(choices).collect();
    section.heading(format!("Position {position}: {board}, game {game}"));
    let mark = |(letter, (row, players)): &(char, Choice<'_>)| BoardMark {
        row: row.row,
        column: row.column,
        letter: *letter,
        title: format!("{letter}, {}: mine {} %, win {} %", list(players), percent(row.mine), percent(row.win)),
    };
    section.blocks.push(PageBlock::Board(Box::new(BoardFigure {
        id: format!("guesses-{position}"),
        title: format!("Position {position} with the cells that players choose"),
        rows: view.split('/').map(str::to_owned).collect(),
        marks: choices.iter().map(mark).collect(),
        sources: Vec::new(),
    })));
    let best = choices.first().map_or(0.0, |(_, (row, _))| row.win);
    section.table(
        PageTable::of(&choices)
            .left("cell", |(letter, _)| letter.to_string())
            .left("players", |(_, (_, players))| list(players))
            .right("mine, %", |(_, (row, _))| percent(row.mine))
            .right("win, %", |(_, (row, _))| percent(row.win))
            .right("points lost", |(_, (row, _))| format!("{:.2}", 100.0 * (best - row.win))),
    );
}
