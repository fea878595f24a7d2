//! Rows in memory, for training that makes its own data.

use std::ops::ControlFlow;

use super::rows::{Labels, QSettings, RowKind};
use super::self_play::SelfPlay;
use super::stream::{MakePlayer, SelfPlaySeries};
use super::{Boards, GenerateError};
use mineflow_arena::Workers;
use mineflow_learn::data::Table;
use mineflow_minesweeper::features::{ClassifierV2, QV2};

/// How much is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// So many passes: games on each kind of board.
    Passes(u64),
    /// So many rows to the row, from as many passes as it takes.
    Rows(u64),
}

impl Amount {
    /// The number of games, `None` where rows decide.
    pub(super) fn games(self, boards: &Boards) -> Option<u64> {
        match self {
            Self::Passes(passes) => Some(passes * boards.per_pass()),
            Self::Rows(_) => None,
        }
    }

    /// The number of rows that ends it.
    pub(super) fn rows(self) -> u64 {
        match self {
            Self::Passes(_) => u64::MAX,
            Self::Rows(rows) => rows,
        }
    }
}

/// `classifier-v2` rows of self-play with these labels; the same for any number of threads.
///
/// # Errors
/// [`GenerateError::Stopped`] if it was asked to; else what is wrong with the player.
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

/// `q-v2` rows of self-play, target the return; the same for any number of threads. The returns of a game's first rows
/// count all its guesses, even where the number of rows cuts the game short.
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
