//! A round as bytes: a board file (`.mbf`), which holds the mines alone, or a text, which holds the state of play.
//!
//! The text has the parts that [`board_text`](crate::board_text) reads: the position as a `.mine` text, the minefield once it is laid, and notes.
//!
//! Every part may be missing but one of the first two. A minefield alone is a game not begun; to a position alone mines
//! are laid that fit it.

use std::path::Path;
use std::time::Duration;

use super::fitting::fitting_field;
use super::round::Round;
use crate::board_text::BoardText;
use crate::mbf::{self, MbfError};
use crate::solver::{Budget, CountError};
use crate::text::{self, TextError};
use crate::{Cell, FirstClick, Status};
use mineflow_rng::Seed;

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
            round(text.parse()?, missing)
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

fn round(text: BoardText, missing: &Missing) -> Result<Loaded, SavedError> {
    let BoardText { position, field, first_click, time, exploded } = text;
    let mut round = match (position, field) {
        (None, None) => return Err(TextError::Nothing.into()),
        (None, Some(field)) => Round::on(field),
        (Some(position), Some(field)) => {
            let round = Round::resumed(field, &position).ok_or(TextError::Differ)?;
            round.promised(first_click.unwrap_or(FirstClick::Any))
        }
        (Some(position), None) if position.opened().is_empty() => {
            let first_click = first_click.unwrap_or(missing.first_click);
            Round::new(position.board(), first_click, missing.seed).with_flags_of(&position)
        }
        (Some(position), None) => {
            let mut budget = Budget::new(Some(missing.node_limit), None);
            let field = fitting_field(&position, missing.seed, &mut budget)?;
            Round::resumed(field, &position).ok_or(TextError::Differ)?
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
