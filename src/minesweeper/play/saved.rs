//! A round as bytes: a board file (`.mbf`), which holds the mines alone, or a text, which holds the state of play.
//!
//! The text is made of forms that other programs know, a blank line between them: the position as a `.mine` text, the
//! minefield drawn with stars once it is laid, and what else there is to say.
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
//! | line | meaning |
//! |---|---|
//! | `first-click RULE` | what the first click was or will be promised: safe, opening, any |
//! | `seconds N` | what the clock shows |
//! | `exploded ROW COLUMN` | the mine that was opened, counted from 0, in a lost game |
//!
//! Every part may be missing but one of the first two. A minefield alone is a game not begun; to a position alone mines
//! are laid that fit it.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use super::fitting::fitting_field;
use super::round::Round;
use crate::mbf::{self, MbfError};
use crate::solver::{Budget, CountError};
use crate::text::{self, TextError};
use crate::{Cell, FirstClick, Minefield, Status, View};
use mineflow_rng::Seed;

/// The longest time that a text may say, a year.
const MOST_SECONDS: f64 = 31_536_000.0;

/// How a round is stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// The mines alone.
    Mbf,
    /// The state of play.
    Text,
}

impl Format {
    /// A board file if the name ends in `.mbf`, else text.
    pub fn of(path: &Path) -> Self {
        let is_mbf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mbf"));
        if is_mbf { Self::Mbf } else { Self::Text }
    }
}

/// Why a round can't be saved or loaded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SavedError {
    #[error("the first click lays the mines: before it there is nothing for a board file; a text can be saved")]
    NothingLaid,
    #[error("not a text (byte {0} is not UTF-8); board files end in .mbf")]
    NoText(usize),
    #[error("there is neither a position nor a minefield in the file")]
    Nothing,
    #[error("line {line}: a second {what}")]
    Twice { line: usize, what: &'static str },
    #[error("line {line}: `{found}` is none of `first-click RULE`, `seconds N` and `exploded ROW COLUMN`")]
    Note { line: usize, found: String },
    #[error("the minefield and the position don't fit together: they differ in size, mines or an open number")]
    Differ,
    #[error("`exploded` names no covered mine of a game that goes on")]
    Exploded,
    #[error(transparent)]
    Text(#[from] TextError),
    #[error(transparent)]
    Mbf(#[from] MbfError),
    #[error("no mines can be laid that fit the position: {0}")]
    Count(#[from] CountError),
}

/// A round and what its clock shows.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub round: Round,
    pub time: Duration,
}

/// What a loaded position lacks and takes from here.
#[derive(Clone, Copy, Debug)]
pub struct Missing {
    /// Of the mines, where the file doesn't hold them.
    pub seed: Seed,
    pub first_click: FirstClick,
    /// Nodes that the laying of mines may cost.
    pub node_limit: u64,
}

/// The bytes of a round whose clock shows `time`.
///
/// # Errors
/// The format can't hold the round.
pub fn write(round: &Round, time: Duration, format: Format) -> Result<Vec<u8>, SavedError> {
    match format {
        Format::Mbf => Ok(mbf::write(round.field().ok_or(SavedError::NothingLaid)?)?),
        Format::Text => Ok(text_of(round, time).into_bytes()),
    }
}

/// The round that `bytes` hold.
///
/// # Errors
/// What is wrong with the bytes, and where.
pub fn read(bytes: &[u8], format: Format, missing: &Missing) -> Result<Loaded, SavedError> {
    match format {
        Format::Mbf => Ok(Loaded { round: Round::on(mbf::read(bytes)?), time: Duration::ZERO }),
        Format::Text => {
            let text = std::str::from_utf8(bytes).map_err(|error| SavedError::NoText(error.valid_up_to() + 1))?;
            Parts::read(text)?.round(missing)
        }
    }
}

fn text_of(round: &Round, time: Duration) -> String {
    let mut text = text::write_mine(round.view());
    if let Some(field) = round.field() {
        text += &format!("\n{field}\n");
    }
    text += &format!("\nfirst-click {}\nseconds {:.3}\n", round.first_click(), time.as_secs_f64());
    if let Some(cell) = round.exploded() {
        let (row, col) = round.board().row_col(cell);
        text += &format!("exploded {row} {col}\n");
    }
    text
}

/// What a text says.
#[derive(Default)]
struct Parts {
    position: Option<View>,
    field: Option<Minefield>,
    first_click: Option<FirstClick>,
    time: Duration,
    exploded: Option<(usize, usize)>,
}

impl Parts {
    fn read(text: &str) -> Result<Self, SavedError> {
        let mut parts = Self::default();
        let mut rows_alone = None;
        for block in blocks(text.strip_prefix('\u{feff}').unwrap_or(text)) {
            let line = block.line;
            let twice = |what| SavedError::Twice { line, what };
            match block.lines[0].trim_start().chars().next() {
                Some('*' | '.') if parts.field.is_some() => return Err(twice("minefield")),
                Some('*' | '.') => parts.field = Some(Minefield::from_str(&block.numbered())?),
                Some('a'..='z') => parts.read_notes(&block)?,
                _ if parts.position.is_some() || rows_alone.is_some() => return Err(twice("position")),
                _ if block.lines[0].contains('x') => parts.position = Some(text::read_mine(&block.numbered())?),
                _ => rows_alone = Some(block),
            }
        }
        if let Some(block) = rows_alone {
            parts.position = Some(text::read(&block.numbered(), parts.field.as_ref().map(Minefield::mines))?);
        }
        Ok(parts)
    }

    fn read_notes(&mut self, block: &Block<'_>) -> Result<(), SavedError> {
        for (index, note) in block.lines.iter().enumerate() {
            let words: Vec<&str> = note.split_whitespace().collect();
            self.read_note(&words).ok_or_else(|| SavedError::Note {
                line: block.line + index,
                found: note.trim().chars().take(30).collect(),
            })?;
        }
        Ok(())
    }

    fn read_note(&mut self, words: &[&str]) -> Option<()> {
        match *words {
            ["first-click", rule] => self.first_click = Some(rule.parse().ok()?),
            ["seconds", seconds] => {
                let seconds = seconds.parse().ok().filter(|seconds| (0.0..=MOST_SECONDS).contains(seconds))?;
                self.time = Duration::from_secs_f64(seconds);
            }
            ["exploded", row, col] => self.exploded = Some((row.parse().ok()?, col.parse().ok()?)),
            _ => return None,
        }
        Some(())
    }

    fn round(self, missing: &Missing) -> Result<Loaded, SavedError> {
        let Self { position, field, first_click, time, exploded } = self;
        let mut round = match (position, field) {
            (None, None) => return Err(SavedError::Nothing),
            (None, Some(field)) => Round::on(field),
            (Some(position), Some(field)) => {
                let round = Round::resumed(field, &position).ok_or(SavedError::Differ)?;
                round.promised(first_click.unwrap_or(FirstClick::Any))
            }
            (Some(position), None) if position.opened().is_empty() => {
                let first_click = first_click.unwrap_or(missing.first_click);
                Round::new(position.board(), first_click, missing.seed).with_flags_of(&position)
            }
            (Some(position), None) => {
                let mut budget = Budget::new(Some(missing.node_limit), None);
                let field = fitting_field(&position, missing.seed, &mut budget)?;
                Round::resumed(field, &position).ok_or(SavedError::Differ)?
            }
        };
        if let Some((row, col)) = exploded {
            let cell: Cell = round.board().cell(row, col).ok_or(SavedError::Exploded)?;
            let opened = round.open_chosen(&[cell]);
            if opened.is_err() || round.status() != Status::Lost {
                return Err(SavedError::Exploded);
            }
        }
        Ok(Loaded { round, time })
    }
}

/// Lines that follow each other without a blank one.
struct Block<'a> {
    /// Number of the first, counted from 1.
    line: usize,
    lines: Vec<&'a str>,
}

impl Block<'_> {
    /// The block where it stands in the text, so that errors name the right lines.
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
            _ => blocks.push(Block { line: index + 1, lines: vec![line] }),
        }
        goes_on = !is_blank;
    }
    blocks
}
