//! A game whose decisions are watched.

use std::slice;

use mineflow_minesweeper::{
    Board, Cell, FirstClick, Game, Status,
    player::{Decision, Fault, GameStart, Player, open_all},
    solver::Budget,
};
use mineflow_rng::Seed;

/// Plays the game of `seed` to its end. `watch` receives each decision before its cells are opened,
/// and may return another cell to open instead. Returns `None` if the player gives up.
///
/// # Errors
/// Returns the faults of the player and the errors of `watch`.
pub(crate) fn play_watched<E: From<Fault>>(
    player: &mut dyn Player,
    board: Board,
    first_click: FirstClick,
    seed: Seed,
    mut watch: impl FnMut(&mut Game, &Decision<'_>) -> Result<Option<Cell>, E>,
) -> Result<Option<Game>, E> {
    let mut game = Game::new(board, first_click);
    game.start(seed);
    player.begin(&GameStart {
        board,
        first_click,
        seed: seed.child("player", 0),
    });
    let mut budget = Budget::unlimited();
    while game.status() == Status::Playing {
        let Some(decision) = player.decide_checked(game.view(), &mut budget)? else {
            return Ok(None);
        };
        let instead = watch(&mut game, &decision)?;
        let cells = instead.as_ref().map_or(decision.cells, slice::from_ref);
        open_all(&mut game, cells, decision.reason)?;
    }
    Ok(Some(game))
}
