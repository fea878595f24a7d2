//! Self-play: a player plays and its guesses are recorded.

use std::slice;

use clap::ValueEnum;
use rand::RngExt;
use serde::Serialize;

use super::boards::Boards;
use super::cells::pack;
use super::record::{Guessed, PlayedGame};
use super::rows::{Guess, RowKind, RowMaker};
use mineflow_minesweeper::player::{Decision, Fault, GameStart, Player, Reason, open_all};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Cell, FirstClick, Game, Status, View};
use mineflow_rng::{Rng, Seed};

/// Settings of self-play games besides the player.
#[derive(Clone, PartialEq, Debug)]
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
        candidates: &mut Vec<Cell>,
    ) -> Result<Option<Cell>, PlayFault> {
        candidates.clear();
        match (decision.reason, self.first_cell) {
            (Reason::FirstClick, FirstCell::Corner) => {
                let board = view.board();
                let low = board.height() - 1;
                let right = board.width() - 1;
                let corners = [(0, 0), (0, right), (low, 0), (low, right)];
                candidates.extend(
                    corners
                        .into_iter()
                        .filter_map(|(row, col)| board.cell(row, col)),
                );
            }
            (first, cell) => {
                let anywhere = (first, cell) == (Reason::FirstClick, FirstCell::Anywhere);
                if !(anywhere || self.explore > 0.0 && rng.random_bool(self.explore)) {
                    return Ok(None);
                }
                // The candidates are all cells that the player could have chosen.
                candidates.extend(
                    decision
                        .position(view)
                        .ok_or(PlayFault::NoPosition)?
                        .candidates(),
                );
            }
        }
        Ok(Some(
            candidates[rng.random_range(0..candidates.len() as u32) as usize],
        ))
    }

    /// Returns the seed of game `number`.
    pub(super) fn game_seed(&self, number: u64) -> Seed {
        self.seed.child("game", number)
    }
}

/// The first cell of a self-play game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum, Serialize)]
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
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayFault {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(
        "it computes no mine probabilities of the cells that it chooses from, and thus there is nothing to learn from it"
    )]
    NoPosition,
}

/// A player whose games are recorded.
pub(super) struct Recorder<'a> {
    settings: &'a SelfPlay,
    player: Box<dyn Player>,
    rows: RowMaker<'a>,
    /// Whether positions are recorded.
    keep_cells: bool,
    /// Scratch: the candidates of a random move.
    candidates: Vec<Cell>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(
        settings: &'a SelfPlay,
        kind: &'a RowKind,
        player: Box<dyn Player>,
        keep_cells: bool,
    ) -> Self {
        Self {
            settings,
            player,
            rows: RowMaker::new(kind),
            keep_cells,
            candidates: Vec::new(),
        }
    }

    /// Plays game `number` to its end. A game in which the player gives up is left out, because its
    /// result is unknown.
    pub(super) fn play(&mut self, number: u64) -> Result<PlayedGame, PlayFault> {
        let Self {
            settings,
            player,
            rows,
            keep_cells,
            candidates,
        } = self;
        let seed = settings.game_seed(number);
        let board = settings.boards.of_game(number, seed);
        let mut game = Game::new(board, settings.first_click);
        game.start(seed);
        player.begin(&GameStart {
            board,
            first_click: settings.first_click,
            seed: seed.child("player", 0),
        });
        let mut exploring = seed.child("explore", 0).rng();
        let mut budget = Budget::unlimited();
        let mut played = PlayedGame::new(number, seed, board);
        while game.status() == Status::Playing {
            let Some(decision) = player.decide_checked(game.view(), &mut budget)? else {
                return Ok(PlayedGame {
                    left_out: true,
                    ..PlayedGame::new(number, seed, board)
                });
            };
            let reason = decision.reason;
            // Record guesses. Also record the first click if the player evaluates it like any other
            // move and its row can teach something, such as how much it opens. If the first click
            // is safe by rule, its safety needs no learning.
            let is_noted = match reason {
                Reason::Guess => true,
                Reason::FirstClick => rows.notes_first_clicks() && decision.weights.is_some(),
                Reason::Certain => false,
            };
            let mut instead = None;
            if is_noted {
                instead =
                    settings.draw_instead(&decision, game.view(), &mut exploring, candidates)?;
                let cell = instead.unwrap_or(decision.cells[0]);
                game.lay_for(cell);
                let position = decision
                    .position(game.view())
                    .ok_or(PlayFault::NoPosition)?;
                let field = game.field().expect("the mines were laid for this move");
                let guess = Guess {
                    position,
                    seed: played.seed,
                    turn: played.guesses.len() as u32,
                    cell,
                };
                let is_mine = |cell| field.is_mine(cell);
                let rows = rows.rows(&guess, is_mine, &mut played.features, &mut played.target);
                if *keep_cells {
                    pack(&position, is_mine, &mut played.cells);
                }
                played.guesses.push(Guessed {
                    cell,
                    explored: instead.is_some(),
                    safe: true,
                    opened: 0,
                    rows,
                });
            }
            let before = game.view().opened().len();
            open_all(
                &mut game,
                instead.as_ref().map_or(decision.cells, slice::from_ref),
                reason,
            )?;
            if let Some(last) = played.guesses.last_mut() {
                last.opened += (game.view().opened().len() - before) as u32;
                last.safe = game.status() != Status::Lost;
            }
        }
        played.won = game.status() == Status::Won;
        rows.finish(&mut played);
        Ok(played)
    }
}
