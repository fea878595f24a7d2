//! Generates rows in memory, for training without a data folder.

use std::ops::ControlFlow;

use super::{
    Boards, GenerateError, left_out_note,
    rows::RowKind,
    self_play::{MakePlayer, SelfPlay, SelfPlaySeries},
};
use crate::Context;
use mineflow_learn::data::{Table, check_memory};

/// The number of games per find, on average, at which a search for things in games counts as
/// hopeless.
pub(super) const GAMES_PER_FIND: u64 = 100_000;

/// Returns whether this many games, counted in their order, have so few finds that the search ends
/// with an error.
const fn is_hopeless(games: u64, found: u64) -> bool {
    games >= GAMES_PER_FIND * (found + 1)
}

/// The amount to generate.
#[derive(Clone, Copy)]
pub enum Amount {
    /// This many passes, each with one game on each kind of board.
    Passes(u64),
    /// Exactly this many rows, from as many passes as needed.
    Rows(u64),
}

impl Amount {
    /// Returns the number of games, or `None` if the amount is a number of rows.
    pub(crate) fn games(self, boards: &Boards) -> Option<u64> {
        match self {
            Self::Passes(passes) => Some(passes * boards.per_pass()),
            Self::Rows(_) => None,
        }
    }

    /// Checks, after this many games in their order, that they make rows quickly enough to reach a
    /// number of rows.
    pub(super) fn check_pace(
        self,
        boards: &Boards,
        games: u64,
        rows: u64,
    ) -> Result<(), GenerateError> {
        match self {
            Self::Rows(wanted) if is_hopeless(games, rows) => Err(GenerateError::TooFewRows {
                boards: boards.description().to_owned(),
                games,
                rows,
                wanted,
            }),
            _ => Ok(()),
        }
    }

    /// Returns the number of rows at which self-play ends, or `u64::MAX` if the amount is a number
    /// of passes.
    pub(crate) fn rows(self) -> u64 {
        match self {
            Self::Passes(_) => u64::MAX,
            Self::Rows(rows) => rows,
        }
    }
}

/// Generates rows of self-play; the result is the same for any number of threads. A return includes
/// all later guesses of its game, even guesses whose rows exceed the limit.
///
/// # Errors
/// Returns [`GenerateError::Stopped`] after an interruption, the errors of the player, and an error
/// if the rows don't fit into the context's memory or hardly any game has rows.
pub fn rows_in_memory(
    settings: &SelfPlay,
    amount: Amount,
    kind: &RowKind,
    player: MakePlayer<'_>,
    context: &Context<'_>,
) -> Result<Table, GenerateError> {
    let mut table = Table::new(kind.features.set().width());
    let series = SelfPlaySeries {
        settings,
        kind,
        keep_cells: false,
    };
    let wanted = amount.rows();
    let games = 0..amount.games(&settings.boards).unwrap_or(u64::MAX);
    let mut left_out = 0;
    series.play(games, player, context.workers(), |played| {
        if let Some(played) = played {
            left_out += u64::from(played.left_out);
            let rows = (played.target.len() as u64).min(wanted - table.rows() as u64) as usize;
            table
                .features
                .extend_from_slice(&played.features[..rows * table.width]);
            table.target.extend_from_slice(&played.target[..rows]);
            table.game.resize(table.target.len(), played.seed.value());
            let rows = table.rows() as u64;
            check_memory(rows, table.width, context.memory)?;
            if rows < wanted {
                amount.check_pace(&settings.boards, played.number + 1, rows)?;
            }
        }
        let enough = table.rows() as u64 >= wanted;
        Ok(if enough {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })?;
    if let Some(note) = left_out_note(left_out) {
        context.note(&format!("note: {note}"));
    }
    Ok(table)
}
