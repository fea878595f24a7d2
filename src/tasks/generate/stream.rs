//! Plays games on several workers and delivers them in order.

use std::ops::ControlFlow;

use super::GenerateError;
use super::record::PlayedGame;
use super::rows::RowKind;
use super::self_play::{Recorder, SelfPlay};
use mineflow_arena::{Ending, ThreadsError, Workers};
use mineflow_minesweeper::player::Player;

/// A function that makes the player of a worker.
pub type MakePlayer<'a> = &'a (dyn Fn() -> Box<dyn Player> + Sync);

/// A series of self-play games.
pub(super) struct SelfPlaySeries<'a> {
    pub(super) settings: &'a SelfPlay,
    pub(super) kind: &'a RowKind,
    /// Whether positions are recorded.
    pub(super) keep_cells: bool,
}

impl SelfPlaySeries<'_> {
    /// Plays the games `numbers`, in ascending order, and passes them to `take` in this order until
    /// `take` breaks. `take` also receives `None` from time to time.
    ///
    /// # Errors
    /// Returns [`GenerateError::Stopped`] after an interruption, and the errors of the player.
    pub(super) fn play<E: From<GenerateError> + From<ThreadsError>>(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        player: MakePlayer<'_>,
        workers: Workers<'_>,
        mut take: impl FnMut(Option<PlayedGame>) -> Result<ControlFlow<()>, E>,
    ) -> Result<(), E> {
        let Self {
            settings,
            kind,
            keep_cells,
        } = *self;
        let ending = workers.run_in_order(
            numbers,
            || Recorder::new(settings, kind, player(), keep_cells),
            |recorder, number| {
                recorder.play(number).map_err(|fault| {
                    let seed = settings.game_seed(number);
                    let board = settings.boards.of_game(number, seed);
                    GenerateError::Player {
                        board,
                        game: number,
                        seed: seed.value(),
                        fault,
                    }
                })
            },
            |played| take(played.transpose()?),
        )?;
        if ending == Ending::Stopped {
            Err(GenerateError::Stopped.into())
        } else {
            Ok(())
        }
    }
}
