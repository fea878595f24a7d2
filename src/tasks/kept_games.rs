//! Saved games of a series, for replay: the first games of each configuration are played a second
//! time and saved.

use std::ops::ControlFlow;

use anyhow::Context as _;

use crate::Context;
use mineflow_arena::{Arena, Tally};
use mineflow_minesweeper::{play::SavedGame, player::Player, solver::Budget};

/// The file of saved games in the folder of a series.
pub const FILE: &str = "games.jsonl";

/// Plays the first `games` games of each configuration and returns their lines, in order. Returns
/// `None` after an interruption.
///
/// # Errors
/// Returns an error if a player fails.
pub(super) fn lines(
    arena: &Arena,
    games: u32,
    context: &Context<'_>,
) -> anyhow::Result<Option<Vec<u8>>> {
    let plan = arena.plan();
    // A sequential test may end before all planned games.
    let played = |at: &Tally| games.min(at.games as u32);
    let jobs = plan.configurations.iter().zip(arena.ledger().tallies());
    let all: u64 = jobs
        .clone()
        .map(|(_, tally)| u64::from(played(tally)))
        .sum();
    let mut lines = Vec::new();
    let mut kept = 0;
    context.workers().run_in_order(
        jobs.enumerate().flat_map(|(number, (at, tally))| {
            (0..played(tally)).map(move |game| (number, at, game))
        }),
        || None,
        |player: &mut Option<(usize, Box<dyn Player>)>, (number, at, game)| {
            let new = || (number, at.player.build());
            let player = player.get_or_insert_with(new);
            if player.0 != number {
                *player = new();
            }
            let budget = &mut Budget::new(plan.limits.nodes, None);
            SavedGame::play(
                (&at.player.name, &mut *player.1),
                (at.board, at.first_click),
                (context.seed, game.into()),
                None,
                budget,
            )
            .map(|kept| kept.line())
            .with_context(|| format!("player {} on {}, game {game}", at.player.name, at.board))
        },
        |line| {
            // `None` arrives from time to time while a game takes long.
            if let Some(line) = line {
                lines.extend(line?.into_bytes());
                lines.push(b'\n');
                kept += 1;
                context.count("games kept", kept, all, "");
            }
            anyhow::Ok(ControlFlow::Continue(()))
        },
    )?;
    Ok((kept == all).then_some(lines))
}
