//! Self-play: a player plays and its guesses are recorded.

use std::ops::ControlFlow;

use clap::ValueEnum;
use rand::RngExt;
use serde::Serialize;

use super::{
    GenerateError,
    boards::Boards,
    cells::pack,
    record::PlayedGame,
    rows::{RowKind, RowMaker},
};
use crate::watched_game::play_watched;
use mineflow_arena::{Ending, Workers};
use mineflow_minesweeper::{
    Cell, FirstClick, Status, View,
    player::{Decision, Fault, Player, Reason},
};
use mineflow_rng::{Rng, Seed};

/// Settings of self-play games besides the player.
#[derive(Clone)]
pub struct SelfPlay {
    pub boards: Boards,
    pub first_click: FirstClick,
    /// Choice of the first cell in games whose first click has a row.
    pub first_cell: FirstCell,
    /// The probability that a guess is replaced by a random candidate, 0 to 1.
    pub explore: f64,
    pub seed: Seed,
}

impl SelfPlay {
    /// Returns the settings of self-play on these boards with a safe first click and no
    /// exploration.
    pub fn on(boards: Boards, seed: Seed) -> Self {
        Self {
            boards,
            first_click: FirstClick::Safe,
            first_cell: FirstCell::Own,
            explore: 0.0,
            seed,
        }
    }

    /// Draws a random move to replace the player's move, if the settings or the exploration rate
    /// ask for one.
    fn draw_instead(
        &self,
        decision: &Decision<'_>,
        view: &View,
        rng: &mut Rng,
    ) -> Result<Option<Cell>, PlayFault> {
        let is_first = decision.reason == Reason::FirstClick;
        let candidates: Vec<Cell> = if is_first && self.first_cell == FirstCell::Corner {
            let board = view.board();
            let low = board.height() - 1;
            let right = board.width() - 1;
            let corners = [(0, 0), (0, right), (low, 0), (low, right)];
            let cells = corners.into_iter();
            cells
                .filter_map(|(row, col)| board.cell(row, col))
                .collect()
        } else if is_first && self.first_cell == FirstCell::Anywhere
            || self.explore > 0.0 && rng.random_bool(self.explore)
        {
            // The candidates are all cells that the player could have chosen.
            let position = decision.position(view).ok_or(PlayFault::NoPosition)?;
            position.candidates().collect()
        } else {
            return Ok(None);
        };
        let drawn = rng.random_range(0..candidates.len() as u32);
        Ok(Some(candidates[drawn as usize]))
    }

    /// Returns the seed of game `number`.
    pub(super) fn game_seed(&self, number: u64) -> Seed {
        self.seed.child("game", number)
    }
}

/// The first cell of a self-play game.
#[derive(Clone, Copy, PartialEq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstCell {
    /// The player's own choice.
    #[default]
    Own,
    /// A random corner, uniformly.
    Corner,
    /// A random cell, uniformly.
    Anywhere,
}

/// Errors of recorded games.
#[derive(Debug, thiserror::Error)]
pub enum PlayFault {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(
        "it computes no mine probabilities of the cells that it chooses from, and thus there is nothing to learn from it"
    )]
    NoPosition,
}

/// A function that makes the player of a worker.
pub type MakePlayer<'a> = &'a (dyn Fn() -> Box<dyn Player> + Sync);

/// A series of self-play games.
pub(super) struct SelfPlaySeries<'a> {
    pub settings: &'a SelfPlay,
    pub kind: &'a RowKind,
    /// Whether positions are recorded.
    pub keep_cells: bool,
}

impl SelfPlaySeries<'_> {
    /// Plays the games `numbers` on several workers, in ascending order, and passes them to `take`
    /// in this order until `take` breaks. `take` also receives `None` from time to time.
    ///
    /// # Errors
    /// Returns [`GenerateError::Stopped`] after an interruption, and the errors of the player.
    pub fn play(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        player: MakePlayer<'_>,
        workers: Workers<'_>,
        mut take: impl FnMut(Option<PlayedGame>) -> Result<ControlFlow<()>, GenerateError>,
    ) -> Result<(), GenerateError> {
        let ending = workers.run_in_order(
            numbers,
            || (player(), RowMaker::new(self.kind)),
            |(player, rows), number| {
                self.game(number, player.as_mut(), rows).map_err(|fault| {
                    let seed = self.settings.game_seed(number);
                    GenerateError::Player {
                        board: self.settings.boards.of_game(number, seed),
                        game: number,
                        seed: seed.value(),
                        fault,
                    }
                })
            },
            |played| take(played.transpose()?),
        )?;
        match ending {
            Ending::Stopped => Err(GenerateError::Stopped),
            Ending::Finished => Ok(()),
        }
    }

    /// Plays game `number` to its end. A game in which the player gives up is left out, because its
    /// result is unknown.
    fn game(
        &self,
        number: u64,
        player: &mut dyn Player,
        rows: &mut RowMaker<'_>,
    ) -> Result<PlayedGame, PlayFault> {
        let settings = self.settings;
        let seed = settings.game_seed(number);
        let board = settings.boards.of_game(number, seed);
        let mut exploring = seed.child("explore", 0).rng();
        let mut played = PlayedGame::new(number, seed, board);
        // The number of open cells before the last guess.
        let mut before = 0;
        let ended = play_watched(
            player,
            board,
            settings.first_click,
            seed,
            |game, decision| {
                // Record guesses. Also record the first click if the player evaluates it like any other
                // move and its row can teach something, such as how much it opens. If the first click
                // is safe by rule, its safety needs no learning.
                let is_noted = match decision.reason {
                    Reason::Guess => true,
                    Reason::FirstClick => rows.notes_first_clicks() && decision.weights.is_some(),
                    Reason::Certain => false,
                };
                if !is_noted {
                    return Ok(None);
                }
                let open = game.view().opened().len();
                played.end_guess(open - before);
                before = open;
                let instead = settings.draw_instead(decision, game.view(), &mut exploring)?;
                let cell = instead.unwrap_or(decision.cells[0]);
                game.lay_for(cell);
                let position = decision
                    .position(game.view())
                    .ok_or(PlayFault::NoPosition)?;
                let field = game.field().expect("the mines were laid for this move");
                let is_mine = |cell| field.is_mine(cell);
                let rows = rows.rows(&position, cell, is_mine, &mut played);
                let guess = played.guess(cell, instead.is_some(), rows);
                if self.keep_cells {
                    pack(&position, is_mine, &mut guess.cells);
                }
                Ok::<_, PlayFault>(instead)
            },
        );
        let Some(game) = ended? else {
            return Ok(played.given_up());
        };
        played.end_guess(game.view().opened().len() - before);
        played.won = game.status() == Status::Won;
        if let Some(last) = played.guesses.last_mut() {
            last.safe = game.status() != Status::Lost;
        }
        rows.finish(&mut played);
        Ok(played)
    }
}
