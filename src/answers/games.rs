//! Games: deals the mines of one, plays one with a player, judges the moves of one.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::position::{place, places, reason_name, rule_of};
use crate::{Place, Refusal, Setup, WorkerState, question, written};
use mineflow_minesweeper::no_guess::{Level, NoGuess};
use mineflow_minesweeper::play::{KeptMove, SavedGame, open_in_order};
use mineflow_minesweeper::player::{GameEnd, Reason, board_seed};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Minefield, Status};
use mineflow_rng::Seed;

/// The most boards to try for one without a guess.
const TRIES: u64 = 20_000;

#[derive(Deserialize)]
struct Dealt {
    width: usize,
    height: usize,
    mines: usize,
    first_click: Option<String>,
    first: Place,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    game: u64,
    #[serde(default)]
    no_guess: bool,
    level: Option<String>,
}

#[derive(Serialize)]
struct Deal {
    field: Vec<String>,
    game: u64,
    level: Option<&'static str>,
}

pub(crate) fn field_rows(field: &Minefield) -> Vec<String> {
    field.to_string().lines().map(str::to_owned).collect()
}

/// The mines of a game.
pub(crate) fn deal(_: &Setup, _: &mut WorkerState, body: &[u8]) -> Result<String, Refusal> {
    let asked: Dealt = question(body)?;
    let board = Board::new(asked.width, asked.height, asked.mines).map_err(Refusal::bad)?;
    let rule = rule_of(asked.first_click.as_deref())?;
    let wanted = asked
        .level
        .as_deref()
        .map(Level::from_str)
        .transpose()
        .map_err(Refusal::bad)?;
    let first = board
        .cell(asked.first.0, asked.first.1)
        .ok_or_else(|| Refusal::bad("`first` is off the board"))?;
    written(&find(board, rule, first, &asked, wanted)?)
}

fn find(
    board: Board,
    rule: FirstClick,
    first: Cell,
    asked: &Dealt,
    wanted: Option<Level>,
) -> Result<Deal, Refusal> {
    let seed = board_seed(Seed::new(asked.seed), board);
    if !asked.no_guess {
        let mut game = Game::new(board, rule);
        game.start(seed.child("game", asked.game));
        game.lay_for(first);
        let field = game
            .field()
            .ok_or_else(|| Refusal::bad("the board has no room for a first click"))?;
        return Ok(Deal {
            field: field_rows(field),
            game: asked.game,
            level: None,
        });
    }
    let mut no_guess = NoGuess::new(board, rule);
    // Fewer tries on a larger board, so that all tries take some seconds.
    let tries = (TRIES * 480 / board.cells().max(1) as u64).clamp(1, TRIES);
    for game in asked.game..asked.game.saturating_add(tries) {
        let level = no_guess.level(seed.child("game", game), first);
        if level.is_some_and(|level| wanted.is_none_or(|wanted| wanted == level)) {
            return Ok(Deal {
                field: field_rows(no_guess.field()),
                game,
                level: level.map(Level::name),
            });
        }
    }
    Err(Refusal::unanswerable(format!(
        "none of {tries} boards is solved without a guess from there; try fewer mines or another level"
    )))
}

#[derive(Deserialize)]
struct Asked {
    width: usize,
    height: usize,
    mines: usize,
    first_click: Option<String>,
    #[serde(default)]
    seed: u64,
    #[serde(default)]
    game: u64,
    #[serde(default)]
    player: String,
    field: Option<Vec<String>>,
    first: Option<Place>,
    #[serde(default)]
    moves: Vec<AskedMove>,
}

#[derive(Deserialize)]
struct AskedMove {
    cells: Vec<Place>,
}

impl Asked {
    fn read(&self) -> Result<(Board, FirstClick, Option<Minefield>), Refusal> {
        let board = Board::new(self.width, self.height, self.mines).map_err(Refusal::bad)?;
        let rule = rule_of(self.first_click.as_deref())?;
        let field = self
            .field
            .as_ref()
            .map(|rows| Minefield::from_str(&rows.join("\n")))
            .transpose()
            .map_err(Refusal::bad)?;
        if field.as_ref().is_some_and(|field| field.board() != board) {
            return Err(Refusal::bad(
                "`field` does not match width, height and mines",
            ));
        }
        Ok((board, rule, field))
    }
}

/// Plays a game with a player and judges its moves.
pub(crate) fn game(
    setup: &Setup,
    worker: &mut WorkerState,
    body: &[u8],
) -> Result<String, Refusal> {
    let asked: Asked = question(body)?;
    let (board, rule, field) = asked.read()?;
    let first = asked.first.map(|(row, col)| {
        board
            .cell(row, col)
            .ok_or_else(|| Refusal::bad("`first` is off the board"))
    });
    let first = first.transpose()?;
    let (spec, _) = worker.player(setup, &asked.player)?;
    let spec = spec.clone();
    let rules = (
        board,
        if field.is_some() {
            FirstClick::Any
        } else {
            rule
        },
    );
    let played = SavedGame::play(
        &spec,
        rules,
        (asked.seed, asked.game),
        field.as_ref().map(|field| (field, first)),
        &mut setup.budget(),
    );
    let mut kept = played.map_err(Refusal::unanswerable)?;
    kept.first_click = rule;
    written(&judged(setup, worker, &kept))
}

/// Judges the moves of a game that a person played.
pub(crate) fn judge(
    setup: &Setup,
    worker: &mut WorkerState,
    body: &[u8],
) -> Result<String, Refusal> {
    let asked: Asked = question(body)?;
    let (board, rule, field) = asked.read()?;
    let field = field.ok_or_else(|| Refusal::bad("`field` is missing: where the mines lie"))?;
    let cell = |&(row, col): &Place| {
        board
            .cell(row, col)
            .ok_or_else(|| Refusal::bad("a move is off the board"))
    };
    let mut moves = Vec::new();
    for made in &asked.moves {
        let cells = made.cells.iter().map(cell).collect::<Result<Vec<_>, _>>()?;
        let reason = if moves.is_empty() {
            Reason::FirstClick
        } else {
            Reason::Guess
        };
        moves.push(KeptMove { reason, cells });
    }
    let player = if asked.player.is_empty() {
        "you".to_owned()
    } else {
        asked.player.clone()
    };
    let kept = SavedGame {
        player,
        first_click: rule,
        seed: asked.seed,
        game: asked.game,
        end: GameEnd::TimedOut,
        field,
        moves,
    };
    written(&judged(setup, worker, &kept))
}

/// A game with judged moves.
#[derive(Serialize)]
pub struct Replay {
    player: String,
    width: usize,
    height: usize,
    mines: usize,
    first_click: &'static str,
    seed: u64,
    game: u64,
    field: Vec<String>,
    won: bool,
    moves: Vec<Made>,
}

#[derive(Serialize)]
struct Made {
    cells: Vec<Place>,
    reason: &'static str,
    /// The probability of a mine in the first cell.
    mine: Option<f64>,
    /// The chance to win before the move, and its mean over the outcomes of the move.
    win: Option<f64>,
    after: Option<f64>,
    best: Option<Best>,
    /// How much better the best candidate would have been.
    loss: Option<f64>,
}

#[derive(Serialize)]
struct Best {
    cell: Place,
    after: f64,
}

/// Judges the moves of a game. Positions above the limits of counting or of the budget get no judgement.
pub fn judged(setup: &Setup, worker: &mut WorkerState, kept: &SavedGame) -> Replay {
    let board = kept.field.board();
    let judge = worker.judge(setup, board, kept.first_click);
    let mut budget = setup.budget();
    let mut game = Game::on(kept.field.clone());
    let mut moves = Vec::new();
    for made in &kept.moves {
        if game.status() != Status::Playing {
            break;
        }
        let first = made
            .cells
            .iter()
            .copied()
            .find(|&cell| !game.view().is_open(cell));
        let known = judge.judge(game.view(), &mut budget).ok();
        let is_promised = game.view().opened().is_empty() && kept.first_click != FirstClick::Any;
        let mine = first
            .filter(|_| !is_promised)
            .and_then(|first| known.as_ref()?.odds.mine(first));
        // A proved safe cell loses nothing.
        let reason = if mine == Some(0.0) && made.reason == Reason::Guess {
            Reason::Certain
        } else {
            made.reason
        };
        let win = known.as_ref().and_then(|known| known.win);
        let (mut after, mut best, mut loss) = (None, None, None);
        if let (Some(first), Some(known), false) = (first, &known, reason == Reason::Certain) {
            // A proved mine loses the game.
            let weighed = judge.candidate(first, &known.odds, kept.first_click, &mut budget);
            after = if mine == Some(1.0) {
                Some(0.0)
            } else {
                weighed.and_then(|candidate| candidate.win)
            };
            let safe = game
                .view()
                .covered()
                .find(|&cell| known.odds.mine(cell) == Some(0.0));
            let wins = known
                .candidates
                .iter()
                .filter_map(|candidate| Some((candidate.cell, candidate.win?)));
            // If a safe cell was there, the guess lost its whole risk.
            let most = safe
                .zip(win)
                .or_else(|| wins.max_by(|a, b| a.1.total_cmp(&b.1)));
            loss = after.map(|after| most.map_or(0.0, |(_, most)| (most - after).max(0.0)));
            best = most.map(|(cell, after)| Best {
                cell: place(board, cell),
                after,
            });
        }
        moves.push(Made {
            cells: places(board, &made.cells),
            reason: reason_name(reason),
            mine,
            win,
            after,
            best,
            loss,
        });
        open_in_order(&mut game, &made.cells);
    }
    Replay {
        player: kept.player.clone(),
        width: board.width(),
        height: board.height(),
        mines: board.mines(),
        first_click: kept.first_click.name(),
        seed: kept.seed,
        game: kept.game,
        field: field_rows(&kept.field),
        won: game.status() == Status::Won,
        moves,
    }
}
