//! The stage `generate`: games played for rows to learn from, in memory or in a folder.
//!
//! It takes players, boards and a kind of row, and writes shards of Parquet files. It knows no model that is to learn from them.

mod boards;
mod cells;
mod featurise;
mod folder;
mod join;
mod memory;
mod record;
mod row_args;
mod rows;
mod self_play;
mod settings;
mod shard;
mod stream;

pub use boards::{Boards, MineRatios};
pub use featurise::Featurise;
pub use folder::{Generation, GenerationProgress};
pub(crate) use join::join_shards;
pub use memory::{Amount, classifier_rows, q_rows};
pub use row_args::{RowArgs, off_board, typed_alpha};
pub use rows::{Alpha, DISCOUNT, GainSettings, Labels, QSettings, RowKind, returns};
pub use self_play::{FirstCell, PlayFault, SelfPlay};
pub use settings::{Generate, RowsKind, in_short};
pub use stream::MakePlayer;

use std::path::PathBuf;

use mineflow_arena::ThreadsError;
use mineflow_learn::data::DataError;
use mineflow_minesweeper::Board;
use mineflow_minesweeper::player::NoMove;
use mineflow_store::StoreError;

/// Why games were not generated.
#[derive(Debug, thiserror::Error)]
pub enum GenerateError {
    #[error("the player is wrong on {board}, game {game} (its seed {seed}): {fault}")]
    Player { board: Board, game: u64, seed: u64, fault: PlayFault },
    #[error("player {0} doesn't weigh the cells that it chooses from")]
    NoWeights(String),
    #[error("{}: player {player} can't weigh the position of row {row}: {why}", path.display())]
    Weigh { path: PathBuf, player: String, row: usize, why: NoMove },
    #[error(transparent)]
    Data(#[from] DataError),
    #[error(transparent)]
    Folder(#[from] StoreError),
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    #[error("it was asked to stop")]
    Stopped,
}

/// Checks that rows can be made of the games of a player, before any is played.
///
/// # Errors
/// [`GenerateError::NoWeights`] for the agent, which chooses by rules instead of probabilities.
pub fn check_weighs(player: &str) -> Result<(), GenerateError> {
    match player {
        "agent" => Err(GenerateError::NoWeights(player.to_owned())),
        _ => Ok(()),
    }
}
