//! Generates rows in memory, for training without a data folder.

use std::ops::ControlFlow;

use super::rows::{Labels, QSettings, RowKind};
use super::self_play::SelfPlay;
use super::stream::{MakePlayer, SelfPlaySeries};
use super::{Boards, GenerateError};
use mineflow_arena::Workers;
use mineflow_learn::data::Table;
use mineflow_minesweeper::features::{ClassifierV2, QV2};

/// The amount to generate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// This many passes, each with one game on each kind of board.
    Passes(u64),
    /// Exactly this many rows, from as many passes as needed.
    Rows(u64),
}

impl Amount {
    /// Returns the number of games, or `None` if the amount is a number of rows.
    pub(super) fn games(self, boards: &Boards) -> Option<u64> {
        match self {
            Self::Passes(passes) => Some(passes * boards.per_pass()),
            Self::Rows(_) => None,
        }
    }

    /// Returns the number of rows at which self-play ends, or `u64::MAX` if the amount is a number of passes.
    pub(super) fn rows(self) -> u64 {
        match self {
            Self::Passes(_) => u64::MAX,
            Self::Rows(rows) => rows,
        }
    }
}

/// Generates `classifier-v2` rows of self-play with these labels; the result is the same for any number of threads.
///
/// # Errors
/// Returns [`GenerateError::Stopped`] after an interruption, and the errors of the player.
pub fn classifier_rows(
    settings: &SelfPlay,
    amount: Amount,
    labels: Labels,
    player: MakePlayer<'_>,
    workers: Workers<'_>,
) -> Result<Table, GenerateError> {
    table(
        settings,
        amount,
        &RowKind {
            features: &ClassifierV2,
            labels,
        },
        player,
        workers,
    )
}

/// Generates `q-v2` rows of self-play with the return as target; the result is the same for any number of threads. Every return includes
/// all later guesses of its game, even guesses whose rows exceed the limit.
pub fn q_rows(
    settings: &SelfPlay,
    amount: Amount,
    q: QSettings,
    player: MakePlayer<'_>,
    workers: Workers<'_>,
) -> Result<Table, GenerateError> {
    table(
        settings,
        amount,
        &RowKind {
            features: &QV2,
            labels: Labels::Return(q),
        },
        player,
        workers,
    )
}

fn table(
    settings: &SelfPlay,
    amount: Amount,
    kind: &RowKind,
    player: MakePlayer<'_>,
    workers: Workers<'_>,
) -> Result<Table, GenerateError> {
    let mut table = Table::new(kind.features.set().width());
    let series = SelfPlaySeries {
        settings,
        kind,
        keep_cells: false,
    };
    let wanted = amount.rows();
    let games = 0..amount.games(&settings.boards).unwrap_or(u64::MAX);
    series.play(games, player, workers, |played| {
        if let Some(played) = played {
            let rows = (played.target.len() as u64).min(wanted - table.rows() as u64) as usize;
            table
                .features
                .extend_from_slice(&played.features[..rows * table.width]);
            table.target.extend_from_slice(&played.target[..rows]);
            table.game.resize(table.target.len(), played.seed.value());
        }
        let enough = table.rows() as u64 >= wanted;
        Ok::<_, GenerateError>(if enough {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        })
    })?;
    Ok(table)
}
