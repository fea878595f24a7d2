//! Positions in which players guess differently, and what each guess is worth.
//!
//! The last of the players plays games; the first position of a game in which the choices of all differ enough is taken. What a choice is
//! worth is the sum over the numbers that the cell may show of their probability and the value that a model gives the position seen then.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, ensure};
use serde::{Deserialize, Serialize};

use mineflow_document::numbers::round;
use mineflow_minesweeper::play::{Adviser, Judge};
use mineflow_minesweeper::player::{GameStart, PlayerSpec, Reason, ValueModel, board_seed, open_all};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Status, View};
use mineflow_model::Registry;
use mineflow_rng::Seed;

/// Nodes that one answer may cost.
const NODES: u64 = 2_000_000;
/// A position is taken if at least this many cells are chosen,
const CELLS: usize = 3;
/// and the estimates of the best and the worst are so far apart.
const SPREAD: f64 = 0.02;
/// Cells of a position that are open at least, so that there is something to see.
const OPEN: usize = 60;

/// A row of `guesses.csv`: what one player chooses in one position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GuessRow {
    /// Which of the positions, from 1.
    pub position: u64,
    /// Width, height and mines.
    pub board: String,
    /// The game of the seed that it is of.
    pub game: u64,
    /// The rows from the top, `/` between them; `#` is covered.
    pub view: String,
    pub player: String,
    /// Of the cell, from 0.
    pub row: usize,
    pub column: usize,
    /// The true probability of a mine there.
    pub mine: f64,
    /// The estimated chance to win of who opens it.
    pub win: f64,
}

/// What is looked for.
pub struct Wanted {
    pub board: Board,
    pub first_click: FirstClick,
    pub players: Vec<PlayerSpec>,
    pub positions: u64,
    /// Games to try at most.
    pub games: u64,
}

impl Wanted {
    /// The rows of as many positions as asked for, from the games of `seed` in their order; fewer if `stop` is set or no more are found.
    ///
    /// # Errors
    /// No value model in the registry.
    pub fn find(&self, seed: u64, stop: &AtomicBool) -> anyhow::Result<Vec<GuessRow>> {
        ensure!(self.players.len() > 1, "players differ where there are two at least");
        let registry = Registry::open(None).context("the worth of guesses takes a value model")?;
        let model = ValueModel::registered(&registry, self.board, self.first_click)?;
        let mut search = Search {
            wanted: self,
            advisers: self.players.iter().map(|player| Adviser::new(player.clone(), NODES)).collect(),
            judge: Judge::new(Some(model)),
        };
        let (mut rows, mut found) = (Vec::new(), 0);
        for number in 0..self.games {
            if found == self.positions || stop.load(Ordering::Relaxed) {
                break;
            }
            let of_game = search.game(number, board_seed(Seed::new(seed), self.board).child("game", number))?;
            found += u64::from(!of_game.is_empty());
            rows.extend(of_game.into_iter().map(|row| GuessRow { position: found, ..row }));
        }
        Ok(rows)
    }
}

struct Search<'a> {
    wanted: &'a Wanted,
    advisers: Vec<Adviser>,
    judge: Judge,
}

impl Search<'_> {
    /// The rows of the first position of a game that is taken; none if there is none.
    fn game(&mut self, number: u64, seed: Seed) -> anyhow::Result<Vec<GuessRow>> {
        let Wanted { board, first_click, .. } = *self.wanted;
        let start = GameStart { board, first_click, seed: seed.child("player", 0) };
        let mut game = Game::new(board, first_click);
        game.start(seed);
        while game.status() == Status::Playing {
            let driver = self.advisers.last_mut().expect("there are players");
            let Ok(advice) = driver.advise(game.view(), &start) else { break };
            let is_guess = advice.reason != Reason::Certain && game.view().opened().len() >= OPEN;
            if is_guess && let Some(rows) = self.rows(game.view(), &start, number) {
                return Ok(rows);
            }
            open_all(&mut game, &advice.moves, advice.reason)?;
        }
        Ok(Vec::new())
    }

    /// What each player chooses in a position; `None` if one of them doesn't guess or the choices don't differ enough.
    fn rows(&mut self, view: &View, start: &GameStart, game: u64) -> Option<Vec<GuessRow>> {
        let mut chosen: Vec<(String, Cell)> = Vec::new();
        for adviser in &mut self.advisers {
            let advice = adviser.advise(view, start).ok().filter(|advice| advice.reason != Reason::Certain)?;
            chosen.push((adviser.player().name.clone(), advice.moves[0]));
        }
        let mut cells: Vec<usize> = chosen.iter().map(|(_, cell)| cell.index()).collect();
        cells.sort_unstable();
        cells.dedup();
        if cells.len() < CELLS {
            return None;
        }
        let budget = &mut Budget::new(Some(NODES), None);
        let odds = self.judge.judge(view, budget).ok()?.odds;
        let board = view.board();
        let row = |(player, cell): (String, Cell)| {
            Some(GuessRow {
                position: 0,
                board: board.to_string(),
                game,
                view: view.to_string().trim_end().replace('\n', "/"),
                player,
                row: cell.index() / board.width(),
                column: cell.index() % board.width(),
                mine: round(odds.mine(cell)?, 6),
                win: round(self.judge.candidate(cell, &odds, start.first_click, budget)?.win?, 6),
            })
        };
        let rows: Vec<_> = chosen.into_iter().map(row).collect::<Option<_>>()?;
        let (low, high) =
            rows.iter().fold((1.0_f64, 0.0_f64), |(low, high), row| (low.min(row.win), high.max(row.win)));
        (high - low >= SPREAD).then_some(rows)
    }
}
