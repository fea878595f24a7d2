//! `guesses`: the positions of games in which a guess is made, with their exact probabilities.

use mineflow_minesweeper::player::{
    self, Fault, GameStart, Reason, Recipe, Source, board_seed, open_all,
};
use mineflow_minesweeper::solver::Budget;
use mineflow_minesweeper::{Board, Game, Status};
use mineflow_rng::Seed;
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use crate::arrays::{refuse, seed, threads};
use crate::boards::first_click_rule;
use crate::players::Player;
use crate::pool::{Threads, detached};

/// The guesses of a game, one after another: for each cell its number and its mine probability.
type Guesses = (Vec<i8>, Vec<f64>);

/// Plays `count` games from number `first` on. Returns the guesses: the numbers of their games int64[K], the views int8[K, H, W] and the mine
/// probabilities float64[K, H, W]. `mineflow.positions` documents the arguments.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    clippy::type_complexity,
    reason = "Python hands them over and unpacks the result"
)]
pub fn guesses<'py>(
    py: Python<'py>,
    player: &Player,
    board: &str,
    first_click: &str,
    #[pyo3(from_py_with = seed)] seed: u64,
    first: u64,
    count: usize,
    #[pyo3(from_py_with = threads)] threads: Option<usize>,
) -> PyResult<(
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray3<i8>>,
    Bound<'py, PyArray3<f64>>,
)> {
    let board = board.parse().and_then(Board::playable);
    let board = board.or_else(|error| refuse(format!("board: {error}")))?;
    let (spec, rule) = (&player.spec, first_click_rule(first_click)?);
    if !matches!(&spec.recipe, Recipe::Steps(steps) if steps.source == Source::Posterior) {
        return refuse(format!(
            "player: {} computes no exact probabilities, 7.0 does",
            spec.name
        ));
    }
    let (seed, threads) = (board_seed(Seed::new(seed), board), Threads::new(threads)?);
    let mut played: Vec<Result<Guesses, Fault>> = Vec::new();
    played.resize_with(count, || Ok(Guesses::default()));
    py.check_signals()?;
    detached(py, || {
        threads.for_each(
            (first..).zip(&mut played).collect(),
            || (spec.build(), Game::new(board, rule)),
            |(player, game), (number, found)| {
                *found = play(player.as_mut(), game, seed.child("game", number));
            },
        );
    })?;
    let (mut games, mut seen, mut mine) = (Vec::new(), Vec::new(), Vec::new());
    for (number, found) in (first as i64..).zip(played) {
        let found = found.or_else(|fault| refuse(format!("game {number}: {fault}")))?;
        seen.extend(found.0);
        mine.extend(found.1);
        games.resize(seen.len() / board.cells(), number);
    }
    let shape = [games.len(), board.height(), board.width()];
    Ok((
        PyArray1::from_vec(py, games),
        PyArray1::from_vec(py, seen).reshape(shape)?,
        PyArray1::from_vec(py, mine).reshape(shape)?,
    ))
}

/// Plays a game and returns its guesses.
fn play(player: &mut dyn player::Player, game: &mut Game, seed: Seed) -> Result<Guesses, Fault> {
    let (mut seen, mut mine) = Guesses::default();
    game.start(seed);
    player.begin(&GameStart {
        board: game.board(),
        first_click: game.first_click(),
        seed: seed.child("player", 0),
    });
    let mut budget = Budget::unlimited();
    while game.status() == Status::Playing {
        let Some(decision) = player.decide_checked(game.view(), &mut budget)? else {
            break;
        };
        if let (Reason::Guess, Some(position)) = (decision.reason, decision.position(game.view())) {
            let start = seen.len();
            seen.resize(start + position.mine.len(), 0);
            game.view().write_numbers(&mut seen[start..]);
            // A covered cell without a probability is a known mine.
            let known =
                |(&seen, &mine): (&i8, &f64)| if seen < 0 && mine.is_nan() { 1.0 } else { mine };
            mine.extend(seen[start..].iter().zip(position.mine).map(known));
        }
        open_all(game, decision.cells, decision.reason)?;
    }
    Ok((seen, mine))
}
