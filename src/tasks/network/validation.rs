//! Validation games of a network, by which the checkpoint to publish is chosen.

use std::sync::Arc;

use super::Learning;
use crate::generate::GenerateError;
use crate::training_records::{VALIDATION_BOARDS, Won};
use mineflow_arena::{Arena, Configuration, Ending, GamesProgress, Part, Plan};
use mineflow_minesweeper::FirstClick;
use mineflow_minesweeper::player::{Limits, PlayerSpec};
use mineflow_model::{Artifact, Mlp};

/// Number of games in the final validation, as a multiple of the number after a round.
const FINALISTS_TIMES: u32 = 4;

/// The validation games after every round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValidationGames<'p> {
    /// The player that uses the network.
    pub(crate) player: &'p str,
    /// Number of validation games, rounded up to the same number on every board; 0 for none. The
    /// games are identical after every round.
    pub games: u32,
}

/// The validation games to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Validation {
    /// The games after every round.
    EveryRound,
    /// More and different games for the best networks, because the results by which they were
    /// selected are biased upwards.
    Finalists,
}

impl ValidationGames<'_> {
    /// Plays the validation games, with a seed derived from the seed of the training run. Returns
    /// [`GenerateError::Stopped`] after an interruption.
    pub(super) fn play(
        &self,
        network: &Arc<Mlp>,
        validation: Validation,
        learning: &Learning<'_>,
        tell: &mut dyn FnMut(GamesProgress),
    ) -> anyhow::Result<Won> {
        let player = PlayerSpec::with_model(self.player, Artifact::in_memory(network))?;
        let mut configurations = Vec::with_capacity(VALIDATION_BOARDS.len());
        for board in VALIDATION_BOARDS {
            let player = player.clone();
            let board = board.parse()?;
            configurations.push(Configuration {
                player,
                board,
                first_click: FirstClick::Safe,
                value_model: None,
            });
        }
        let (number, times) = match validation {
            Validation::EveryRound => (0, 1),
            Validation::Finalists => (1, FINALISTS_TIMES),
        };
        let games = self
            .games
            .div_ceil(VALIDATION_BOARDS.len() as u32)
            .saturating_mul(times);
        let mut arena = Arena::in_memory(Plan {
            configurations,
            games,
            part: Part::WHOLE,
            seed: learning.root().child("validation", number),
            limits: Limits::default(),
            sprt: None,
            threads: learning.context.threads,
        });
        if arena.play(learning.context.stop, tell)? == Ending::Stopped {
            return Err(GenerateError::Stopped.into());
        }
        Ok(Won::new(arena.ledger().won(), arena.ledger().played()))
    }
}
