//! How a network plays: the validation games by which the checkpoint to publish is chosen.

use std::sync::Arc;

use super::Learning;
use crate::generate::GenerateError;
use crate::training_records::Won;
use mineflow_arena::{Arena, Configuration, Ending, GamesProgress, Part, Plan};
use mineflow_minesweeper::FirstClick;
use mineflow_minesweeper::player::{Limits, ModelOverride, PlayerSpec};
use mineflow_model::Mlp;

/// The boards of the validation games. No report plays one of them: its boards are the three of the standard game and
/// those whose sides end at 15.
pub(super) const BOARDS: [&str; 4] = ["16x9/18", "17x13/33", "20x14/50", "28x16/87"];
/// How many times the games of the first look the second one has.
const SECOND_LOOK: u32 = 4;

/// How the network plays after every round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Examination<'p> {
    /// The player that asks the network.
    pub(crate) player: &'p str,
    /// Validation games, the same after every round, rounded up to as many on every board; 0 for none.
    pub games: u32,
}

/// Which games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    /// Those after every round.
    First,
    /// Other and more games of those that were best by the first look, which is lucky for one of many.
    Second,
}

impl Examination<'_> {
    /// Plays the games of a look, those of a child of the training's seed; [`GenerateError::Stopped`] if it was asked to stop.
    pub(super) fn play(
        &self,
        network: &Arc<Mlp>,
        look: Look,
        learning: &Learning<'_>,
        tell: &mut dyn FnMut(GamesProgress),
    ) -> anyhow::Result<Won> {
        let player = PlayerSpec::with_model(self.player, &ModelOverride::Network(network.clone()))?;
        let mut configurations = Vec::with_capacity(BOARDS.len());
        for board in BOARDS {
            let (player, board) = (player.clone(), board.parse()?);
            configurations.push(Configuration {
                player,
                board,
                first_click: FirstClick::Safe,
                value_model: None,
            });
        }
        let (number, times) = match look {
            Look::First => (0, 1),
            Look::Second => (1, SECOND_LOOK),
        };
        let games = self
            .games
            .div_ceil(BOARDS.len() as u32)
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
        Ok(Won::new(arena.ledger().won(), arena.ledger().planned()))
    }
}
