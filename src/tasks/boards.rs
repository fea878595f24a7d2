//! Generates boards that can be solved without a guess, by rejection sampling: all such boards are
//! equally likely.

use std::ops::ControlFlow;

use serde::Serialize;

use crate::Context;
use mineflow_arena::{
    numbers::{grouped, round},
    to_csv,
};
use mineflow_minesweeper::{
    Board, Cell, FirstClick, Minefield,
    no_guess::{Level, Measures, NoGuess},
    player::board_seed,
};
use mineflow_rng::Seed;

/// Number of random boards that one job tries.
const TRIES_A_JOB: u64 = 64;

/// A request for boards that need no guess: their size and mines, the first click, and how many
/// boards to find.
pub struct Wanted {
    pub board: Board,
    pub first_click: FirstClick,
    pub first: Cell,
    pub count: u64,
    /// The solving level that a board must need; `None` accepts any.
    pub level: Option<Level>,
    /// Maximum number of boards to try.
    pub tries: u64,
}

/// A board that needs no guess.
#[derive(Clone, Debug)]
pub struct Found {
    /// Index of the board among the boards tried, from 0.
    pub index: u64,
    pub level: Level,
    pub measures: Measures,
    pub field: Minefield,
}

/// The boards found, with statistics of all boards tried.
#[derive(Default)]
pub struct BoardSearch {
    pub found: Vec<Found>,
    /// Totals over the boards tried. If enough boards were found, the totals end at the last of
    /// them.
    pub tried: Totals,
    /// Number of tried boards that need no guess, by level.
    pub solved: [u64; 3],
    /// Whether the search ended without being interrupted.
    pub is_whole: bool,
}

/// Sums of difficulty measures over boards.
#[derive(Clone, Copy, Default)]
pub struct Totals {
    pub boards: u64,
    pub openings: u64,
    pub clicks: u64,
}

impl Totals {
    fn add(&mut self, measures: Measures) {
        self.boards += 1;
        self.openings += measures.openings as u64;
        self.clicks += measures.clicks as u64;
    }
}

/// A board as a row of `boards.csv`.
#[derive(Serialize)]
struct BoardRow {
    file: String,
    /// Index of the board among the boards tried, from 0.
    tried: u64,
    level: &'static str,
    openings: usize,
    /// The fewest clicks that open all safe cells (3BV).
    clicks: usize,
}

impl BoardSearch {
    /// Returns the table of the boards found as CSV. `files` holds the name of the file of each
    /// board.
    pub fn csv(&self, files: &[String]) -> anyhow::Result<Vec<u8>> {
        let row = |(found, file): (&Found, &String)| BoardRow {
            file: file.clone(),
            tried: found.index,
            level: found.level.name(),
            openings: found.measures.openings,
            clicks: found.measures.clicks,
        };
        to_csv(&self.found.iter().zip(files).map(row).collect::<Vec<_>>())
    }

    /// Returns a summary for people: the number of boards tried, and the mean difficulty measures
    /// of the accepted boards and of all boards tried.
    pub fn summary(&self) -> String {
        let mut kept = Totals::default();
        self.found.iter().for_each(|found| kept.add(found.measures));
        let mean = |sum: u64, boards: u64| round(sum as f64 / boards.max(1) as f64, 1);
        let [single, pairs, whole] = self.solved.map(grouped);
        let Totals {
            boards,
            openings,
            clicks,
        } = self.tried;
        format!(
            "kept {} of {} boards; without a guess are {single} by single numbers, {pairs} by pairs, {whole} by the whole count; kept boards \
             have {} openings and take {} clicks, all boards {} and {}",
            grouped(kept.boards),
            grouped(boards),
            mean(kept.openings, kept.boards),
            mean(kept.clicks, kept.boards),
            mean(openings, boards),
            mean(clicks, boards)
        )
    }
}

impl Wanted {
    /// Tries boards until enough are found or the search is interrupted. The result is the same for
    /// any number of threads.
    pub fn search(&self, context: &Context<'_>) -> anyhow::Result<BoardSearch> {
        let seed = board_seed(Seed::new(context.seed), self.board.playable()?);
        let mut search = BoardSearch::default();
        let jobs = (0..self.tries.div_ceil(TRIES_A_JOB)).map(|job| job * TRIES_A_JOB);
        let work = |no_guess: &mut NoGuess, start: u64| {
            let tries = start..(start + TRIES_A_JOB).min(self.tries);
            let tried = tries.map(|index| {
                let level = no_guess.level(seed.child("game", index), self.first);
                let wanted =
                    level.is_some_and(|level| self.level.is_none_or(|wanted| wanted == level));
                let field = wanted.then(|| no_guess.field().clone());
                (index, level, Measures::of(no_guess.field()), field)
            });
            tried.collect::<Vec<_>>()
        };
        context.workers().run_in_order(
            jobs,
            || NoGuess::new(self.board, self.first_click),
            work,
            |tried| {
                for (index, level, measures, field) in tried.into_iter().flatten() {
                    if search.found.len() as u64 >= self.count {
                        return Ok(ControlFlow::Break(()));
                    }
                    search.tried.add(measures);
                    if let Some(level) = level {
                        search.solved[level as usize] += 1;
                        search.found.extend(field.map(|field| Found {
                            index,
                            level,
                            measures,
                            field,
                        }));
                    }
                }
                let text = format!(" of {} tried", grouped(search.tried.boards));
                context.count("boards", search.found.len() as u64, self.count, &text);
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        search.is_whole =
            search.found.len() as u64 >= self.count || search.tried.boards == self.tries;
        Ok(search)
    }
}
