//! The exact value of optimal play on small boards, and the number of layouts that players win on
//! these boards.

use anyhow::Result;
use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde::Serialize;

use crate::Context;
use mineflow_arena::{
    Ending,
    numbers::{counted, grouped, round},
};
use mineflow_minesweeper::{
    Board, Cell, FirstClick, Grid, Minefield,
    optimum::{FirstCellValue, Layouts, Optimum, Resources},
    player::{GameEnd, Limits, PlayerSpec, Seat, board_seed},
};
use mineflow_rng::Seed;

/// Number of layouts per job.
const GAMES_A_JOB: usize = 64;

/// A row of the result: optimal play or a player, on one board under one first-click rule.
#[derive(Serialize)]
pub struct OptimumRow {
    pub board: String,
    pub first_click: &'static str,
    /// The player; `None` for optimal play.
    pub player: Option<String>,
    /// The [version](mineflow_minesweeper::player::Recipe::version) of the player; `None` for
    /// optimal play.
    pub version: Option<String>,
    /// Row and column of the first click, from 0.
    pub first_cell: [usize; 2],
    /// Number of layouts won, out of `layouts` equally likely layouts.
    pub won: u64,
    pub layouts: u64,
    pub win_ratio: f64,
    /// Win rate of optimal play from its best first cell, minus that of this row.
    pub below_best: f64,
}

/// A board whose optimal play is computed.
pub struct Question<'a> {
    pub board: Board,
    pub first_click: FirstClick,
    /// Players that also play the layouts of the board.
    pub players: &'a [PlayerSpec],
    /// Whether optimal play has a row for each first cell up to symmetry, instead of a row for the
    /// best first cell only.
    pub every_first_cell: bool,
}

/// Returns the resources for a computation in this context.
fn resources(context: &Context<'_>) -> Resources {
    Resources {
        memory: context.memory,
        threads: context.threads,
    }
}

impl Question<'_> {
    /// Checks that the board is not too large.
    pub fn check(&self, context: &Context<'_>) -> Result<()> {
        Ok(Optimum::check(
            self.board,
            self.first_click,
            resources(context),
        )?)
    }

    /// Computes the rows: optimal play first, then the players in their order. Returns `None` after
    /// an interruption.
    pub fn rows(&self, context: &Context<'_>) -> Result<Option<Vec<OptimumRow>>> {
        let Some(values) = self.first_cells(context)? else {
            return Ok(None);
        };
        // Among equally good first cells, the earliest in row-major order is chosen.
        let best = values
            .iter()
            .copied()
            .reduce(|best, value| if value.beats(&best) { value } else { best });
        let Some(best) = best else {
            return Ok(Some(Vec::new()));
        };
        let shown = if self.every_first_cell {
            values
        } else {
            vec![best]
        };
        let mut rows: Vec<_> = shown
            .iter()
            .map(|value| self.row(None, value, &best))
            .collect();
        for player in self.players {
            let Some(value) = self.play(player, context)? else {
                return Ok(None);
            };
            rows.push(self.row(Some(player), &value, &best));
        }
        Ok(Some(rows))
    }

    fn row(
        &self,
        player: Option<&PlayerSpec>,
        value: &FirstCellValue,
        best: &FirstCellValue,
    ) -> OptimumRow {
        OptimumRow {
            board: self.board.to_string(),
            first_click: self.first_click.name(),
            player: player.map(|player| player.name.clone()),
            version: player.map(PlayerSpec::version),
            first_cell: self.board.row_col(value.cell).into(),
            won: value.won,
            layouts: value.layouts,
            win_ratio: round(value.ratio(), 9),
            below_best: round(best.ratio() - value.ratio(), 9),
        }
    }

    /// Computes the value of every first cell up to symmetry, in row-major order. Returns `None`
    /// after an interruption.
    fn first_cells(&self, context: &Context<'_>) -> Result<Option<Vec<FirstCellValue>>> {
        let optimum = Optimum::new(self.board, self.first_click, resources(context))?;
        let cells = optimum.first_cells();
        let planned = cells.len() as u64;
        let mut values = Vec::with_capacity(cells.len());
        // The flag is also set when a job fails, so that the remaining jobs stop early.
        let halt = AtomicBool::new(false);
        let ending = context.workers().run_in_order(
            cells.into_iter(),
            || (),
            |(), cell| {
                let value = optimum.value(cell, &halt);
                if value.is_err() {
                    halt.store(true, Ordering::Relaxed);
                }
                value
            },
            |value| {
                if context.stop.load(Ordering::Relaxed) {
                    halt.store(true, Ordering::Relaxed);
                    return Ok(ControlFlow::Break(()));
                }
                if let Some(value) = value {
                    values.push(value?);
                }
                let done = values.len() as u64;
                let states = counted(optimum.states(), "state");
                let text = format!(
                    "{}: {} of {} first cells, {states}",
                    self.about(),
                    grouped(done),
                    grouped(planned)
                );
                context.say(done, planned, &text);
                anyhow::Ok(ControlFlow::Continue(()))
            },
        );
        Ok((ending? == Ending::Finished && values.len() as u64 == planned).then_some(values))
    }

    /// Counts the layouts that `player` wins after its own first click. The player has the same
    /// seed in every layout, so that it plays a single policy; the seed is that of the board's
    /// first game. Returns `None` after an interruption.
    fn play(&self, player: &PlayerSpec, context: &Context<'_>) -> Result<Option<FirstCellValue>> {
        let name = &player.name;
        let about = self.about();
        let wrong = |fault| anyhow::anyhow!("player {name} is wrong on {about}: {fault}");
        let seed = board_seed(Seed::new(context.seed), self.board).child("game", 0);
        let seat = || {
            let limits = Limits::default();
            Seat::new(player.build(), self.board, self.first_click, limits)
        };
        let first = seat().first_cell(seed).map_err(wrong)?;
        let cell = first.ok_or_else(|| anyhow::anyhow!("player {name} makes no first move"))?;
        let layouts = Layouts::of(self.board, self.first_click, cell);
        let grid = Arc::new(Grid::new(self.board));
        let mut left = layouts.iter();
        let jobs = std::iter::from_fn(move || {
            let job: Vec<_> = left.by_ref().take(GAMES_A_JOB).collect();
            (!job.is_empty()).then_some(job)
        });
        let field = |layout: u64| {
            let cells = 0..self.board.cells() as u16;
            let mines = cells.filter(|cell| layout >> cell & 1 != 0).map(Cell);
            Minefield::from_mines(grid.clone(), mines)
        };
        let mut won = 0;
        let mut played = 0;
        let ending = context.workers().run(
            jobs,
            seat,
            |seat, job, results| {
                for layout in job {
                    if results.is_over() {
                        return;
                    }
                    results.hand_in(seat.play_field(&field(layout), seed));
                }
            },
            |outcome| {
                if let Some(outcome) = outcome {
                    won += u64::from(outcome.map_err(wrong)?.end == GameEnd::Won);
                    played += 1;
                }
                let what = format!(" of {name} on {about}");
                context.count("games", played, layouts.count(), &what);
                anyhow::Ok(ControlFlow::Continue(()))
            },
        );
        let all = ending? == Ending::Finished && played == layouts.count();
        Ok(all.then_some(FirstCellValue {
            cell,
            won,
            layouts: played,
        }))
    }

    fn about(&self) -> String {
        format!("{}, first click {}", self.board, self.first_click)
    }
}
