//! Answers about games: deals the mines of a game, plays a game with a player, judges the moves of
//! a game.

use std::str::FromStr;

use serde_json::{Value, json};

use crate::{Refusal, Setup, WorkerState, asked::Asked, question, written};
use mineflow_minesweeper::{
    Cell, FirstClick, Game, Minefield,
    no_guess::{Level, NoGuess},
    play::{KeptMove, SavedGame},
    player::{GameEnd, Reason, board_seed},
    replay::{JudgedGame, Replay},
};
use mineflow_rng::Seed;

/// Maximum number of boards to try when a board without a guess is wanted. Boards larger than
/// expert get fewer tries.
const TRIES: u64 = 20_000;

pub(crate) fn field_rows(field: &Minefield) -> Vec<String> {
    field.to_string().lines().map(str::to_owned).collect()
}

/// Deals the mines of a game.
pub(crate) fn deal(_: &Setup, _: &mut WorkerState, body: &[u8]) -> Result<String, Refusal> {
    let asked: Asked = question(body)?;
    asked.board()?;
    let first = asked.first()?;
    let first = first.ok_or_else(|| Refusal::bad("`first` is missing: the first click"))?;
    written(&find(&asked, first)?)
}

fn find(asked: &Asked, first: Cell) -> Result<Value, Refusal> {
    let board = asked.board()?;
    let rule = asked.rule()?;
    let wanted = asked.level.as_deref().map(Level::from_str).transpose();
    let wanted = wanted.map_err(Refusal::bad)?;
    let seed = board_seed(Seed::new(asked.seed), board);
    if !asked.no_guess {
        let mut game = Game::new(board, rule);
        game.start(seed.child("game", asked.game));
        game.lay_for(first);
        let field = game
            .field()
            .ok_or_else(|| Refusal::bad("the board has no room for a first click"))?;
        return Ok(json!({"field": field_rows(field), "game": asked.game, "level": null}));
    }
    let mut no_guess = NoGuess::new(board.playable().map_err(Refusal::bad)?, rule);
    // Try fewer boards if they are larger, because all tries together should take only a few
    // seconds.
    let tries = (TRIES * 480 / board.cells().max(1) as u64).clamp(1, TRIES);
    for game in asked.game..asked.game.saturating_add(tries) {
        let level = no_guess.level(seed.child("game", game), first);
        if level.is_some_and(|level| wanted.is_none_or(|wanted| wanted == level)) {
            let field = field_rows(no_guess.field());
            return Ok(json!({"field": field, "game": game, "level": level.map(Level::name)}));
        }
    }
    Err(Refusal::unanswerable(format!(
        "none of {tries} boards is solved without a guess from there; try fewer mines or another level"
    )))
}

/// Plays a game with a player and judges its moves.
pub(crate) fn game(
    setup: &Setup,
    worker: &mut WorkerState,
    body: &[u8],
) -> Result<String, Refusal> {
    let asked: Asked = question(body)?;
    let board = asked.board()?;
    let rule = asked.rule()?;
    let field = asked.field()?;
    let first = asked.first()?;
    let (spec, player) = worker.player(setup, &asked.player)?;
    let rule_of_player = match field {
        Some(_) => FirstClick::Any,
        None => rule,
    };
    let mut kept = SavedGame::play(
        (&spec.name, &mut **player),
        (board, rule_of_player),
        (asked.seed, asked.game),
        field.as_ref().map(|field| (field, first)),
        &mut setup.budget(),
    )
    .map_err(Refusal::unanswerable)?;
    kept.first_click = rule;
    written(&judged(setup, worker, &kept, asked.no_guess)?)
}

/// Judges the moves of a game that a person played.
pub(crate) fn judge(
    setup: &Setup,
    worker: &mut WorkerState,
    body: &[u8],
) -> Result<String, Refusal> {
    let asked: Asked = question(body)?;
    let board = asked.board()?;
    let rule = asked.rule()?;
    let field = asked.field()?;
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
        why: Vec::new(),
    };
    written(&judged(setup, worker, &kept, asked.no_guess)?)
}

/// Judges the moves of a saved game.
///
/// # Errors
/// Returns an error if the value model of the board can't be loaded.
pub fn judged(
    setup: &Setup,
    worker: &mut WorkerState,
    kept: &SavedGame,
    no_guess: bool,
) -> Result<JudgedGame, Refusal> {
    let judge = worker.judge(setup, kept.field.board(), kept.first_click, no_guess)?;
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
    let judge = worker.judge(setup, replay.board(), replay.first_click, false)?;
    let review = replay
        .review(judge, &mut setup.budget())
        .map_err(Refusal::bad)?;
    Ok(JudgedGame::of_replay(replay, &review))
}
