//! Validation games of a network, by which the checkpoint to publish is chosen.

use std::sync::Arc;

use super::TrainingPlan;
use crate::{
    generate::GenerateError,
    training_records::{VALIDATION_BOARDS, Won},
};
use mineflow_arena::{Arena, Configuration, Ending, GamesProgress, Part, Plan};
use mineflow_minesweeper::{
    FirstClick,
    player::{Limits, PlayerSpec},
};
use mineflow_model::{Artifact, Mlp};

/// The validation games to play.
#[derive(Clone, Copy)]
pub(super) enum Validation {
    /// The games after every round, which are identical after every round.
    EveryRound,
    /// Four times as many, different games for the best networks, because the results by which
    /// they were selected are biased upwards.
    Finalists,
}

impl TrainingPlan<'_> {
    /// Plays the validation games, the same number on every board, with a seed derived from the
    /// seed of the training run. Returns [`GenerateError::Stopped`] after an interruption.
    pub(super) fn validate(
        &self,
        network: &Arc<Mlp>,
        validation: Validation,
        tell: &mut dyn FnMut(GamesProgress),
    ) -> anyhow::Result<Won> {
        let player = PlayerSpec::with_model(self.version(), Artifact::in_memory(network))?;
        let configuration = |board: &str| {
            anyhow::Ok(Configuration {
                player: player.clone(),
                board: board.parse()?,
                first_click: FirstClick::Safe,
                value_model: None,
            })
        };
        let configurations = VALIDATION_BOARDS.into_iter().map(configuration);
        let (number, times) = match validation {
            Validation::EveryRound => (0, 1),
            Validation::Finalists => (1, 4),
        };
        let games = self.learning.eval_games;
        let context = self.learning.context;
        let mut arena = Arena::in_memory(Plan {
            configurations: configurations.collect::<anyhow::Result<_>>()?,
            games: games
                .div_ceil(VALIDATION_BOARDS.len() as u32)
                .saturating_mul(times),
            part: Part::WHOLE,
            seed: self.learning.root().child("validation", number),
            limits: Limits::default(),
            sprt: None,
            threads: context.threads,
        });
        if arena.play(context.stop, tell)? == Ending::Stopped {
            return Err(GenerateError::Stopped.into());
        }
        Ok(Won::new(arena.ledger().won(), arena.ledger().played()))
    }
}
