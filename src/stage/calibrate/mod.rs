//! Are probabilities what they say? Players play, and at every guess each candidate's predicted probability of a mine is held against
//! the mines. The tables of `pipeline calibrate`.

mod limited;
mod line;
mod observer;
mod tally;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use super::series::{round, to_csv};
use crate::arena::Workers;
use crate::minesweeper::player::board_seed;
use crate::minesweeper::player::{PlayerSpec, Recipe};
use crate::minesweeper::{Board, FirstClick};
use crate::rng::Seed;
use crate::store;
use limited::Exact;
use line::{Chunk, Line, Queue};
use observer::Observer;
use tally::Tally;
pub use tally::{CellKind, Predictor};

/// The names of the tables beside that of the bins.
pub(super) const SCORES: &str = "scores";
pub(super) const ERRORS: &str = "errors";

/// Who plays where.
#[derive(Clone)]
pub struct Calibration {
    pub players: Vec<PlayerSpec>,
    pub boards: Vec<Board>,
    pub first_click: FirstClick,
    /// Games of each player on each board: those of `pipeline eval` with the same seed.
    pub games: u32,
    /// A player's games on a board end with the one in which it has guessed so often, if that is before all of them.
    pub guesses: Option<u64>,
    pub seed: u64,
    /// Number of workers, at least 1; results don't depend on it.
    pub threads: usize,
}

/// A row of the table: the candidates of one kind whose predicted probability of a mine lies in one bin. Bins without any have no row.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CalibrationRow {
    pub player: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    /// The bin holds its low end, and the last one its high end.
    pub bin_low: f64,
    pub bin_high: f64,
    pub count: u64,
    pub mines: u64,
    /// Mean of the predictions, and mines per cell.
    pub predicted: f64,
    pub observed: f64,
}

/// A row of the table of scores: one predictor of a player on one kind of cells, on all boards.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScoreRow {
    pub player: String,
    pub predictor: Predictor,
    pub cells: CellKind,
    pub count: u64,
    /// Mean of the squared distance of the prediction from 1 for a mine and from 0 for none.
    pub brier_score: f64,
    /// Mean of minus the natural logarithm of the probability given to what is there, held between 1e-6 and 1 less 1e-6.
    pub log_loss: f64,
    /// Mean distance of the prediction and the share of mines over the bins, each as often as it has cells.
    pub calibration_error: f64,
}

/// A row of the table of errors: how far a limited walk's P is from that of all solutions, for one player on one board.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ErrorRow {
    pub player: String,
    pub board: String,
    pub guesses: u64,
    /// Mean over the guesses with a boundary of the mean of |P - exact P| over its cells; none if there was no such guess.
    pub mean_error: Option<f64>,
    /// Cells of the boundary with P = 0, none of them proved safe, at all guesses; those of them that are mines.
    pub zero_cells: u64,
    pub zero_mines: u64,
    /// The second as a share of the first, with the ends of its 95 % interval (Wilson). A cell counts at every guess at which it is
    /// there, so the interval is somewhat too short.
    pub share: Option<f64>,
    pub ci_low: f64,
    pub ci_high: f64,
}

/// What came of a calibration.
#[derive(Clone, PartialEq, Debug)]
pub struct Tables {
    pub scores: Vec<ScoreRow>,
    /// Of the players whose P comes from a limited walk.
    pub errors: Vec<ErrorRow>,
    pub bins: Vec<CalibrationRow>,
}

/// A row of one of the tables, as an object that says of which.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "table", rename_all = "lowercase")]
pub enum TableRow<'a> {
    Scores(&'a ScoreRow),
    Errors(&'a ErrorRow),
    Bins(&'a CalibrationRow),
}

impl Calibration {
    /// Plays all games; `None` if it was asked to stop. `watch` is told how many of how many games are played, or guesses made if
    /// those are limited.
    ///
    /// # Errors
    /// A player that doesn't weigh every cell, or is wrong.
    pub fn run(&self, stop: &AtomicBool, watch: &mut dyn FnMut(u64, u64)) -> anyhow::Result<Option<Tables>> {
        for player in &self.players {
            Observer::new(player, self.first_click)?;
        }
        let mut lines: Vec<Line> = (0..self.players.len() * self.boards.len()).map(|_| Line::default()).collect();
        let queue = Queue::new(lines.len(), self.games);
        let guesses = self.guesses.unwrap_or(u64::MAX);
        Workers { threads: self.threads, stop }.run(
            std::iter::from_fn(|| queue.next()),
            || (),
            |(), chunk, desk, _| desk.hand_in((chunk, self.play(chunk, guesses))),
            |played| {
                if let Some((chunk, tally)) = played {
                    let line = &mut lines[chunk.line];
                    let again = |chunk, guesses| self.play(chunk, guesses);
                    line.take(chunk, tally?, (self.games, guesses), again)?;
                    if line.is_done {
                        queue.end_line(chunk.line);
                    }
                }
                let (done, planned) = self.progress(&lines);
                watch(done, planned);
                anyhow::Ok(ControlFlow::Continue(()))
            },
        )?;
        Ok(lines.iter().all(|line| line.is_done).then(|| self.tables(&lines)))
    }

    /// What is done, of how much, in games, or in guesses if those are limited.
    fn progress(&self, lines: &[Line]) -> (u64, u64) {
        let (of_line, planned): (fn(&Line) -> u64, u64) = match self.guesses {
            Some(guesses) => (|line| line.tally.errors.guesses, guesses),
            None => (|line| line.games.into(), self.games.into()),
        };
        (lines.iter().map(|line| of_line(line).min(planned)).sum(), planned * lines.len() as u64)
    }

    fn tables(&self, lines: &[Line]) -> Tables {
        let mut tables = Tables { scores: Vec::new(), errors: Vec::new(), bins: Vec::new() };
        for (player, lines) in self.players.iter().zip(lines.chunks(self.boards.len())) {
            let mut all = Tally::default();
            lines.iter().for_each(|line| all.add(&line.tally));
            tables.scores.extend(all.scores(&player.name));
            tables.bins.extend(all.bins(&player.name));
            if matches!(&player.recipe, Recipe::Steps(steps) if Exact::beside(&steps.source).is_some()) {
                let boards = self.boards.iter().zip(lines);
                tables
                    .errors
                    .extend(boards.map(|(board, line)| line.tally.errors.row(&player.name, board.to_string())));
            }
        }
        tables
    }

    /// Plays the games of a chunk, or as many of them as it takes to guess so often.
    fn play(&self, chunk: Chunk, guesses: u64) -> anyhow::Result<Tally> {
        let player = &self.players[chunk.line / self.boards.len()];
        let board = self.boards[chunk.line % self.boards.len()];
        let mut observer = Observer::new(player, self.first_click)?;
        let seed = board_seed(Seed::new(self.seed), board);
        for game in chunk.first..chunk.end {
            observer.play(board, seed.child("game", u64::from(game))).map_err(|fault| {
                let name = &player.name;
                anyhow::anyhow!(
                    "player {name} is wrong on {board}, first click {}, game {game}: {fault}",
                    self.first_click
                )
            })?;
            if observer.guesses() >= guesses {
                break;
            }
        }
        Ok(observer.into_tally())
    }
}

impl Tables {
    /// All rows: scores, errors, bins.
    pub fn rows(&self) -> impl Iterator<Item = TableRow<'_>> {
        let errors = self.errors.iter().map(TableRow::Errors);
        self.scores.iter().map(TableRow::Scores).chain(errors).chain(self.bins.iter().map(TableRow::Bins))
    }

    /// Writes the bins to `path`, and beside it the scores to `NAME-scores.csv` and the errors to `NAME-errors.csv`, as CSV, each whole
    /// or not at all. A table without rows is an empty file.
    ///
    /// # Errors
    /// A file that can't be written.
    pub fn write(&self, path: &Path) -> anyhow::Result<()> {
        store::write(&beside(path, SCORES), &to_csv(&self.scores)?)?;
        store::write(&beside(path, ERRORS), &to_csv(&self.errors)?)?;
        Ok(store::write(path, &to_csv(&self.bins)?)?)
    }
}

/// A number of the table, with as many decimals as it has there.
fn rounded(value: f64) -> f64 {
    round(value, 6)
}

/// The file of another table of a calibration, beside that of its bins: `calibration-scores.csv` beside `calibration.csv`.
pub(super) fn beside(bins: &Path, table: &str) -> PathBuf {
    let name = bins.file_stem().unwrap_or_default().to_string_lossy();
    bins.with_file_name(format!("{name}-{table}.csv"))
}
