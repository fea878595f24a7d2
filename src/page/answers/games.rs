//! Answers about games: deals the mines of a game, plays a game with a player, judges the moves of
//! a game.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::position::rule_of;
use crate::{Place, Refusal, Setup, WorkerState, question, written};
use mineflow_minesweeper::no_guess::{Level, NoGuess};
use mineflow_minesweeper::play::{KeptMove, SavedGame};
use mineflow_minesweeper::player::{GameEnd, Reason, board_seed};
use mineflow_minesweeper::replay::{JudgedGame, Replay};
use mineflow_minesweeper::{Board, Cell, FirstClick, Game, Minefield};
use mineflow_rng::Seed;

/// Maximum number of boards to try when a board without a guess is wanted. Boards larger than
/// expert get fewer tries.
const TRIES: u64 = 20_000;

#[derive(Serialize)]
struct Deal {
    field: Vec<String>,
    game: u64,
    level: Option<&'static str>,
}

pub(crate) fn field_rows(field: &Minefield) -> Vec<String> {
    field.to_string().lines().map(str::to_owned).collect()
}

/// Reads the mines of a game on this board, if they are given.
pub(crate) fn field_on(
    board: Board,
    rows: Option<&[String]>,
) -> Result<Option<Minefield>, Refusal> {
    let Some(rows) = rows else { return Ok(None) };
    let field = Minefield::from_str(&rows.join("\n")).map_err(Refusal::bad)?;
    match field.board() == board {
        true => Ok(Some(field)),
        false => Err(Refusal::bad(
            "`field` does not match width, height and mines",
        )),
    }
}

/// Deals the mines of a game.
pub(crate) fn deal(_: &Setup, _: &mut WorkerState, body: &[u8]) -> Result<String, Refusal> {
    let asked: Asked = question(body)?;
    let (board, rule, _) = asked.read()?;
    let wanted = asked.level.as_deref().map(Level::from_str).transpose();
    let first = asked.first(board)?;
    let first = first.ok_or_else(|| Refusal::bad("`first` is missing: the first click"))?;
    written(&find(
        board,
        rule,
        first,
        &asked,
        wanted.map_err(Refusal::bad)?,
    )?)
}

fn find(
    board: Board,
    rule: FirstClick,
    first: Cell,
    asked: &Asked,
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
    let mut no_guess = NoGuess::new(board.playable().map_err(Refusal::bad)?, rule);
    // Try fewer boards if they are larger, because all tries together should take only a few
    // seconds.
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
    no_guess: bool,
    level: Option<String>,
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
        let field = field_on(board, self.field.as_deref())?;
        Ok((board, rule, field))
    }

    /// Returns the first click, if it is given.
    fn first(&self, board: Board) -> Result<Option<Cell>, Refusal> {
        self.first
            .map(|(row, col)| {
                board
                    .cell(row, col)
                    .ok_or_else(|| Refusal::bad("`first` is off the board"))
            })
            .transpose()
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
    let first = asked.first(board)?;
    let spec = worker.player(setup, &asked.player)?.0.clone();
    let rule_of_player = match field {
        Some(_) => FirstClick::Any,
        None => rule,
    };
    let mut kept = SavedGame::play(
        &spec,
        (board, rule_of_player),
        (asked.seed, asked.game),
        field.as_ref().map(|field| (field, first)),
        &mut setup.budget(),
    )
    .map_err(Refusal::unanswerable)?;
    kept.first_click = rule;
    written(&judged(setup, worker, &kept)?)
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
    let mut moves = Vec::new();
    for made in &asked.moves {
        let cells = made
            .cells
            .iter()
            .map(|&(row, col)| {
                board
                    .cell(row, col)
                    .ok_or_else(|| Refusal::bad("a move is off the board"))
            })
            .collect::<Result<Vec<_>, _>>()?;
        if cells.is_empty() {
            return Err(Refusal::bad("a move has no cells"));
        }
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
    written(&judged(setup, worker, &kept)?)
}

/// Judges the moves of a saved game.
///
/// # Errors
/// Returns an error if the value model of the board can't be loaded.
pub fn judged(
    setup: &Setup,
    worker: &mut WorkerState,
    kept: &SavedGame,
) -> Result<JudgedGame, Refusal> {
    let judge = worker.judge(setup, kept.field.board(), kept.first_click)?;
    let review = kept.review(judge, &mut setup.budget());
    Ok(JudgedGame::of_saved(kept, &review))
}

/// Judges the moves of another program's replay.
///
/// # Errors
/// Returns the errors of [`Replay::play`], and an error if the value model of the board can't be
/// loaded.
pub(crate) fn judged_replay(
    setup: &Setup,
    worker: &mut WorkerState,
    replay: &Replay,
) -> Result<JudgedGame, Refusal> {
    let judge = worker.judge(setup, replay.board(), replay.first_click)?;
    let review = replay
        .review(judge, &mut setup.budget())
        .map_err(Refusal::bad)?;
    Ok(JudgedGame::of_replay(replay, &review))
}
