//! One player playing for the record.

use std::fmt;
use std::str::FromStr;

use rand::RngExt;

use super::boards::Boards;
use super::cells::pack;
use super::record::{Guessed, PlayedGame};
use super::rows::{Guess, RowKind, RowMaker};
use crate::minesweeper::arena::{Fault, open_all};
use crate::minesweeper::player::{GameStart, NoMove, Player, Reason};
use crate::minesweeper::solver::Budget;
use crate::minesweeper::{Cell, FirstClick, Game, Status};
use crate::rng::{Rng, Seed};

/// What games of self-play depend on, but for the player.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlay {
    pub boards: Boards,
    pub first_click: FirstClick,
    /// Where games begin whose first click has a row.
    pub first_cell: FirstCell,
    /// The chance that a guess is replaced by a candidate drawn at random, 0 to 1.
    pub explore: f64,
    pub seed: Seed,
}

impl SelfPlay {
    /// On these boards, the first click safe, nothing explored.
    pub fn on(boards: Boards, seed: Seed) -> Self {
        Self { boards, first_click: FirstClick::Safe, first_cell: FirstCell::Own, explore: 0.0, seed }
    }

    /// The seed of game `number`.
    pub(super) fn game_seed(&self, number: u64) -> Seed {
        self.seed.child("game", number)
    }
}

/// Where a game of self-play begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstCell {
    /// Where the player chooses.
    #[default]
    Own,
    /// In one of the four corners, each as likely.
    Corner,
    /// On any cell, each as likely.
    Anywhere,
}

impl FirstCell {
    const ALL: [Self; 3] = [Self::Own, Self::Corner, Self::Anywhere];

    /// The name on the command line and in manifests.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Own => "own",
            Self::Corner => "corner",
            Self::Anywhere => "anywhere",
        }
    }
}

impl fmt::Display for FirstCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for FirstCell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|cell| cell.name() == text)
            .ok_or_else(|| format!("`{text}` is no first cell; write own, corner or anywhere"))
    }
}

/// Why a game could not be played for the record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayFault {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("it doesn't weigh the cells that it chooses from, so there is nothing to learn from it")]
    NoPosition,
}

/// A player at work.
pub(super) struct Recorder<'a> {
    settings: &'a SelfPlay,
    player: Box<dyn Player>,
    rows: RowMaker<'a>,
    /// Whether positions are packed.
    keep_cells: bool,
    moves: Vec<Cell>,
    candidates: Vec<Cell>,
}

impl<'a> Recorder<'a> {
    pub(super) fn new(settings: &'a SelfPlay, kind: &'a RowKind, player: Box<dyn Player>, keep_cells: bool) -> Self {
        let (moves, candidates) = (Vec::new(), Vec::new());
        Self { settings, player, rows: RowMaker::new(kind), keep_cells, moves, candidates }
    }

    /// Plays game `number` to its end, or to a position beyond the solver's limits.
    pub(super) fn play(&mut self, number: u64) -> Result<PlayedGame, PlayFault> {
        let seed = self.settings.game_seed(number);
        let board = self.settings.boards.of_game(number, seed);
        let mut game = Game::new(board, self.settings.first_click);
        game.start(seed);
        let start = GameStart { board, first_click: self.settings.first_click, seed: seed.child("player", 0) };
        self.player.begin(&start);
        let mut exploring = seed.child("explore", 0).rng();
        let mut budget = Budget::unlimited();
        let (guesses, cells) = (Vec::new(), Vec::new());
        let mut played =
            PlayedGame { number, seed, board, won: false, guesses, features: Vec::new(), target: Vec::new(), cells };
        while game.status() == Status::Playing {
            self.moves.clear();
            let reason = match self.player.decide(game.view(), &mut budget, &mut self.moves) {
                Ok(reason) => reason,
                Err(NoMove::Exhausted(_) | NoMove::TooHard(_)) => break,
                Err(contradiction @ NoMove::Contradiction) => return Err(Fault::Contradiction(contradiction).into()),
            };
            if self.is_noted(reason, &game) {
                let explored = self.draw_instead(reason, &game, &mut exploring)?;
                game.lay_for(*self.moves.first().ok_or(Fault::NoCell)?);
                self.note(&game, explored, &mut played)?;
            }
            let before = game.view().opened().len();
            open_all(&mut game, &self.moves, reason)?;
            if let Some(last) = played.guesses.last_mut() {
                last.opened += (game.view().opened().len() - before) as u32;
                last.safe = game.status() != Status::Lost;
            }
        }
        played.won = game.status() == Status::Won;
        self.rows.finish(&mut played);
        Ok(played)
    }

    /// Guesses are noted. So is the first click where its row can teach something, such as how much it opens, if the player
    /// weighs it like any other move. Whether it is safe, where that is promised, nobody need learn.
    fn is_noted(&self, reason: Reason, game: &Game) -> bool {
        match reason {
            Reason::Guess => true,
            Reason::FirstClick => self.rows.notes_first_clicks() && self.player.position(game.view()).is_some(),
            Reason::Certain => false,
        }
    }

    /// Replaces the move by one drawn at random, if the settings or the dice say so.
    fn draw_instead(&mut self, reason: Reason, game: &Game, rng: &mut Rng) -> Result<bool, PlayFault> {
        let &SelfPlay { first_cell, explore, .. } = self.settings;
        self.candidates.clear();
        match (reason, first_cell) {
            (Reason::FirstClick, FirstCell::Corner) => {
                let board = game.view().board();
                let (low, right) = (board.height() - 1, board.width() - 1);
                let corners = [(0, 0), (0, right), (low, 0), (low, right)];
                self.candidates.extend(corners.into_iter().filter_map(|(row, col)| board.cell(row, col)));
            }
            (Reason::FirstClick, FirstCell::Anywhere) => self.put_candidates(game)?,
            _ if explore > 0.0 && rng.random_bool(explore) => self.put_candidates(game)?,
            _ => return Ok(false),
        }
        self.moves.clear();
        self.moves.push(self.candidates[rng.random_range(0..self.candidates.len() as u32) as usize]);
        Ok(true)
    }

    /// Every cell that the player could have chosen.
    fn put_candidates(&mut self, game: &Game) -> Result<(), PlayFault> {
        let position = self.player.position(game.view()).ok_or(PlayFault::NoPosition)?;
        self.candidates.extend(position.candidates());
        Ok(())
    }

    /// Writes down a guess before it is made.
    fn note(&mut self, game: &Game, explored: bool, played: &mut PlayedGame) -> Result<(), PlayFault> {
        let position = self.player.position(game.view()).ok_or(PlayFault::NoPosition)?;
        let field = game.field().expect("the mines were laid for this move");
        let cell = *self.moves.first().ok_or(Fault::NoCell)?;
        let guess = Guess { position, seed: played.seed, turn: played.guesses.len() as u32, cell };
        let is_mine = |cell| field.is_mine(cell);
        let rows = self.rows.rows(&guess, is_mine, &mut played.features, &mut played.target);
        if self.keep_cells {
            pack(&position, is_mine, &mut played.cells);
        }
        played.guesses.push(Guessed { cell, explored, safe: true, opened: 0, rows });
        Ok(())
    }
}
