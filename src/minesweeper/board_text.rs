//! Board texts: a position, a minefield, or both, with optional notes on the game.
//!
//! The parts are separated by blank lines. A position is a `.mine` text or its rows alone; a
//! minefield has `*` for a mine and `.` for a safe cell.
//!
//! ```text
//! 3x2x1
//! 1HH
//! 1F1
//!
//! ...
//! .*.
//!
//! first-click safe
//! seconds 12.250
//! ```
//!
//! Notes are lines that begin with `first-click`, `seconds` or `exploded`. They record facts about
//! a saved game that a board does not show. The parser skips them.
//!
//! A position is read as written, even if no game can lead to it: no further cells are opened, and
//! no mines are laid. [`text`] lists the characters.

use std::str::FromStr;

use crate::{
    Cell, Minefield, View,
    text::{self, TextError},
};

/// The first words of notes.
const NOTES: [&str; 3] = ["first-click", "seconds", "exploded"];

/// The parts of a board text: a position, a minefield, or both. If both are present, the open
/// numbers agree with the minefield.
#[derive(Clone, Debug, Default)]
pub struct BoardText {
    pub position: Option<View>,
    pub field: Option<Minefield>,
}

impl FromStr for BoardText {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut parts = Self::default();
        let mut rows_alone = None;
        for block in blocks(text.strip_prefix('\u{feff}').unwrap_or(text)) {
            let line = block.line;
            let twice = |what| TextError::Twice { line, what };
            match block.lines[0].trim_start().chars().next() {
                Some('*' | '.') if parts.field.is_some() => return Err(twice("minefield")),
                Some('*' | '.') => parts.field = Some(block.numbered().parse()?),
                Some('a'..='z') => check_notes(&block)?,
                _ if parts.position.is_some() || rows_alone.is_some() => {
                    return Err(twice("position"));
                }
                _ if block.lines[0].contains('x') => {
                    parts.position = Some(text::read_mine(&block.numbered())?)
                }
                _ => rows_alone = Some(block),
            }
        }
        if let Some(block) = rows_alone {
            parts.position = Some(text::read(
                &block.numbered(),
                parts.field.as_ref().map(Minefield::mines),
            )?);
        }
        match (&parts.position, &parts.field) {
            (None, None) => Err(TextError::Nothing),
            (Some(position), Some(field)) if !fits(position, field) => Err(TextError::Differ),
            _ => Ok(parts),
        }
    }
}

fn check_notes(block: &Block<'_>) -> Result<(), TextError> {
    let unknown = (block.line..).zip(&block.lines).find(|(_, note)| {
        let word = note.split_whitespace().next();
        word.is_none_or(|word| !NOTES.contains(&word))
    });
    match unknown {
        None => Ok(()),
        Some((line, note)) => Err(TextError::Note {
            line,
            found: note.trim().chars().take(30).collect(),
        }),
    }
}

/// Returns true if the position and the minefield have the same board, and every open cell of the
/// position is safe in the minefield and shows its number there.
fn fits(position: &View, field: &Minefield) -> bool {
    let is_same =
        |&cell: &Cell| !field.is_mine(cell) && position.number(cell) == Some(field.number(cell));
    field.board() == position.board() && position.opened().iter().all(is_same)
}

/// A run of lines without a blank line between them.
struct Block<'a> {
    /// The line number of the block's first line, counted from 1.
    line: usize,
    lines: Vec<&'a str>,
}

impl Block<'_> {
    /// Returns the text of the block, preceded by one empty line for every line before it, so that
    /// errors report the right line numbers.
    fn numbered(&self) -> String {
        "\n".repeat(self.line - 1) + &self.lines.join("\n")
    }
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut goes_on = false;
    for (index, line) in text.lines().enumerate() {
        let is_blank = line.trim().is_empty();
        match blocks.last_mut() {
            _ if is_blank => {}
            Some(block) if goes_on => block.lines.push(line),
            _ => blocks.push(Block {
                line: index + 1,
                lines: vec![line],
            }),
        }
        goes_on = !is_blank;
    }
    blocks
}
