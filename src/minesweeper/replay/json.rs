//! A reviewed game as JSON, used by the web page and `pipeline replay --json`.

use serde::Serialize;

use super::{Judgement, Mark, Replay, Review, ReviewedMove};
use crate::{Board, Cell, FirstClick, Minefield, Status, play::SavedGame};

/// Returns the name of a game's result in JSON and tables.
pub const fn end_name(status: Status) -> &'static str {
    match status {
        Status::Won => "won",
        Status::Lost => "lost",
        Status::Playing => "unfinished",
    }
}

/// A reviewed game as JSON. Cells are `[row, column]`, counted from 0. Probabilities are from 0 to
/// 1, losses and luck are in wins, and unknown values are null.
///
/// | field | meaning |
/// |---|---|
/// | `player`, `program` | the player, and the program that recorded the game |
/// | `width`, `height`, `mines`, `first_click`, `field` | the board, and the rows of its minefield |
/// | `seed`, `game` | seed and index of a saved game |
/// | `end` | `won`, `lost` or `unfinished` |
/// | `loss`, `luck`, `corrected_result`, `survival`, `unjudged` | see [`Review`] |
/// | `moves` | the moves, each a [`ReviewedMove`] with its [`Judgement`](super::Judgement) |
///
/// The field `best` of a move is the best cell with the expected win probability after opening this
/// cell.
#[derive(Serialize)]
pub struct JudgedGame {
    player: String,
    program: String,
    width: usize,
    height: usize,
    mines: usize,
    first_click: &'static str,
    seed: Option<u64>,
    game: Option<u64>,
    field: Vec<String>,
    end: &'static str,
    loss: f64,
    luck: f64,
    corrected_result: f64,
    survival: f64,
    unjudged: usize,
    moves: Vec<JudgedMove>,
}

#[derive(Serialize)]
struct JudgedMove {
    seconds: Option<f64>,
    kind: &'static str,
    cell: (usize, usize),
    cells: Vec<(usize, usize)>,
    opened: Vec<(usize, usize)>,
    hit: Option<(usize, usize)>,
    verdict: Option<&'static str>,
    mine: Option<f64>,
    win: Option<f64>,
    after: Option<f64>,
    best: Option<Best>,
    loss: Option<f64>,
    luck: Option<f64>,
    exact: bool,
    loss_error: Option<f64>,
    win_error: Option<f64>,
    mark: Option<&'static str>,
}

#[derive(Serialize)]
struct Best {
    cell: (usize, usize),
    after: f64,
}

impl JudgedGame {
    /// Creates the JSON form of a saved game.
    pub fn of_saved(kept: &SavedGame, review: &Review) -> Self {
        Self {
            seed: Some(kept.seed),
            game: Some(kept.game),
            ..Self::new(kept.player.clone(), &kept.field, kept.first_click, review)
        }
    }

    /// Creates the JSON form of a replay recorded by another program.
    pub fn of_replay(replay: &Replay, review: &Review) -> Self {
        let player = replay.player.clone().unwrap_or_else(|| "player".to_owned());
        Self {
            program: replay.program.clone(),
            ..Self::new(player, &replay.field, replay.first_click, review)
        }
    }

    fn new(player: String, field: &Minefield, first_click: FirstClick, review: &Review) -> Self {
        let board = field.board();
        Self {
            player,
            program: "mineflow".to_owned(),
            width: board.width(),
            height: board.height(),
            mines: board.mines(),
            first_click: first_click.name(),
            seed: None,
            game: None,
            field: field.to_string().lines().map(str::to_owned).collect(),
            end: end_name(review.status),
            loss: review.loss(),
            luck: review.luck(),
            corrected_result: review.corrected_result(),
            survival: review.survival(),
            unjudged: review.unjudged(),
            moves: (review.moves.iter())
                .map(|made| JudgedMove::new(board, made))
                .collect(),
        }
    }
}

impl JudgedMove {
    fn new(board: Board, made: &ReviewedMove) -> Self {
        let place = |cell| board.row_col(cell);
        let places = |cells: &[Cell]| cells.iter().map(|&cell| place(cell)).collect();
        let judged = made.judgement.as_ref();
        let value = |value: fn(&Judgement) -> Option<f64>| judged.and_then(value);
        let best = judged.and_then(|judged| judged.best);
        Self {
            seconds: made.seconds,
            kind: made.kind.name(),
            cell: place(made.cell),
            cells: places(&made.cells),
            opened: places(&made.opened),
            hit: made.hit.map(place),
            verdict: judged.map(|judged| judged.verdict.name()),
            mine: value(|judged| judged.mine),
            win: value(|judged| judged.win),
            after: value(|judged| judged.after),
            best: best.map(|(cell, after)| Best {
                cell: place(cell),
                after,
            }),
            loss: value(|judged| judged.loss),
            luck: value(|judged| judged.luck),
            exact: judged.is_some_and(|judged| judged.is_exact),
            loss_error: value(|judged| judged.loss_error),
            win_error: value(|judged| judged.win_error),
            mark: judged.and_then(|judged| judged.mark).map(Mark::name),
        }
    }
}
