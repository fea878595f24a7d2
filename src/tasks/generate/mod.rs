//! The stage `generate`: plays games and records training rows, in memory or in a folder.
//!
//! The stage takes a player, boards and a kind of rows, and writes shards of the data, which are
//! Parquet files. The stage does not depend on the models that learn from these rows.

mod boards;
mod cells;
mod featurise;
mod folder;
mod join;
mod memory;
mod record;
mod relabel;
mod row_args;
mod rows;
mod self_play;
mod settings;
mod shard;

pub use boards::{Boards, MineRatios};
pub(crate) use cells::unknown_share;
pub use featurise::Featurise;
pub(crate) use join::join_shards;
pub use memory::{Amount, rows_in_memory};
pub use relabel::Relabel;
pub(crate) use row_args::alpha;
pub use row_args::{RowArgs, typed_alpha};
pub use rows::{DISCOUNT, GainSettings, Labels, QSettings, RowKind, returns};
pub use self_play::{FirstCell, MakePlayer, PlayFault, SelfPlay};
pub use settings::{Generate, RowsKind};

use crate::{Context, Outcome, Row, Rows};
use memory::GAMES_PER_FIND;
use mineflow_arena::{
    Text, ThreadsError,
    numbers::{counted, grouped, percent},
};
use mineflow_learn::data::{Counts, DataError};
use mineflow_minesweeper::Board;
use mineflow_store::StoreError;

/// The reasons why `generate` can't play games or write rows.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    #[error("the player is wrong on {board}, game {game} (its seed {seed}): {fault}")]
    Player {
        board: Board,
        game: u64,
        seed: u64,
        fault: PlayFault,
    },
    #[error("player {0} computes no mine probabilities of the cells that it chooses from")]
    NoWeights(String),
    #[error("no game on {0} has a guess, and these rows come from guesses alone")]
    NoGuess(String),
    #[error(
        "{games} games on {boards} made {rows} of {wanted} rows, fewer than one in {GAMES_PER_FIND} games"
    )]
    TooFewRows {
        boards: String,
        games: u64,
        rows: u64,
        wanted: u64,
    },
    #[error(transparent)]
    Data(DataError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error("it was asked to stop")]
    Stopped,
}

impl From<DataError> for GenerateError {
    fn from(error: DataError) -> Self {
        match error {
            DataError::Store(StoreError::Stopped) => Self::Stopped,
            error => Self::Data(error),
        }
    }
}

impl GenerateError {
    /// Converts the result of generating rows to the outcome of the stage.
    fn outcome(made: Result<Counts, Self>, context: &Context<'_>) -> anyhow::Result<Outcome> {
        match made {
            Ok(totals) => Ok(Outcome::Done(Box::new(Rows(vec![totals])))),
            Err(Self::Stopped) => Ok(context.interrupted("finished shards")),
            Err(error) => Err(error.into()),
        }
    }
}

impl Row for Counts {
    fn text(rows: &[Self]) -> Text {
        rows.iter().copied().map(amount).collect::<String>().into()
    }
}

/// Returns a line for people that says what a folder contains.
pub fn in_short(folder: &str, totals: Counts) -> String {
    format!("{folder}: {}", amount(totals))
}

fn amount(totals: Counts) -> String {
    let won = percent(totals.won as f64 / totals.games.max(1) as f64);
    let left_out = left_out_note(totals.left_out).map(|note| format!(", {note}"));
    format!(
        "{} rows of {} guesses in {} games, {won} % won{}\n",
        grouped(totals.rows),
        grouped(totals.decisions),
        grouped(totals.games),
        left_out.unwrap_or_default()
    )
}

/// Describes how many games are left out because their player gave up, or returns `None` if there
/// are none.
pub(crate) fn left_out_note(games: u64) -> Option<String> {
    (games > 0).then(|| {
        format!(
            "{} left out because the player gave up",
            counted(games, "game")
        )
    })
}

/// Checks that rows can be made from the games of a player, before any game is played.
///
/// # Errors
/// Returns [`GenerateError::NoWeights`] for the agent, which chooses by rules instead of
/// probabilities.
pub fn check_weighs(player: &str) -> Result<(), GenerateError> {
    match player {
        "agent" => Err(GenerateError::NoWeights(player.to_owned())),
        _ => Ok(()),
    }
}
