//! Are probabilities what they say? Players play, and at every guess each candidate's predicted probability of a mine is held against
//! the mines. The table of `pipeline calibrate`.

mod observer;
mod tally;

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use serde::Serialize;

use super::series::{round, to_csv};
use crate::arena::{board_seed, write_whole};
use crate::minesweeper::{Board, FirstClick};
use crate::player::PlayerSpec;
use crate::rng::Seed;
use observer::Observer;
use tally::Tally;

/// Games that a worker takes at once.
const CHUNK: u32 = 64;
/// How often the watcher is told, and how soon a request to stop is seen.
const TICK: Duration = Duration::from_millis(50);

/// Who plays where.
#[derive(Clone)]
pub struct Calibration {
    pub players: Vec<PlayerSpec>,
    pub boards: Vec<Board>,
    pub first_click: FirstClick,
    /// Games of each player on each board: those of `pipeline eval` with the same seed.
    pub games: u32,
    pub seed: u64,
    /// Number of workers, at least 1; results don't depend on it.
    pub threads: usize,
}

/// A row of the table: the candidates of one kind whose predicted probability of a mine lies in one bin. Bins without any have no row.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CalibrationRow {
    pub player: String,
    /// `source`: the probabilities that the player weighs; `model`: 1 less the safe score of the classifier that it asks.
    pub predictor: &'static str,
    /// `boundary`, `elsewhere` or `chosen`; chosen cells are among the others as well.
    pub cells: &'static str,
    /// The bin holds its low end, and the last one its high end.
    pub bin_low: f64,
    pub bin_high: f64,
    pub count: u64,
    pub mines: u64,
    /// Mean of the predictions, and mines per cell.
    pub predicted: f64,
    pub observed: f64,
}

impl Calibration {
    /// Plays all games; `None` if it was asked to stop. `watch` is told how many of how many games are played.
    ///
    /// # Errors
    /// A player that doesn't weigh every cell, or is wrong.
    pub fn run(
        &self,
        stop: &AtomicBool,
        watch: &mut dyn FnMut(u64, u64),
    ) -> anyhow::Result<Option<Vec<CalibrationRow>>> {
        for player in &self.players {
            Observer::new(player, self.first_click)?;
        }
        let chunks = self.chunks();
        let planned = u64::from(self.games) * (self.players.len() * self.boards.len()) as u64;
        let next = AtomicUsize::new(0);
        let broken_off = AtomicBool::new(false);
        let mut tallies = vec![Tally::default(); self.players.len()];
        let mut played = 0;
        let result = std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for _ in 0..self.threads {
                let (sender, chunks, next, broken_off) = (sender.clone(), &chunks, &next, &broken_off);
                scope.spawn(move || {
                    while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if broken_off.load(Ordering::Relaxed) || sender.send((chunk, self.play(chunk))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok((chunk, Ok(tally))) => {
                        tallies[chunk.player].add(&tally);
                        played += u64::from(chunk.end - chunk.first);
                    }
                    Ok((_, Err(error))) => {
                        broken_off.store(true, Ordering::Relaxed);
                        return Err(error);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
                if stop.load(Ordering::Relaxed) {
                    broken_off.store(true, Ordering::Relaxed);
                }
                watch(played, planned);
            }
        });
        result?;
        let rows = self.players.iter().zip(&tallies).flat_map(|(player, tally)| tally.rows(&player.name));
        Ok((played == planned).then(|| rows.collect()))
    }

    fn chunks(&self) -> Vec<Chunk> {
        let firsts = || (0..self.games).step_by(CHUNK as usize);
        let of_board = |player| {
            let chunk = move |board| {
                firsts().map(move |first| Chunk { player, board, first, end: (first + CHUNK).min(self.games) })
            };
            self.boards.iter().copied().flat_map(chunk)
        };
        (0..self.players.len()).flat_map(of_board).collect()
    }

    fn play(&self, chunk: &Chunk) -> anyhow::Result<Tally> {
        let &Chunk { player, board, first, end } = chunk;
        let mut observer = Observer::new(&self.players[player], self.first_click)?;
        let seed = board_seed(Seed::new(self.seed), board);
        for game in first..end {
            observer.play(board, seed.child("game", u64::from(game))).map_err(|fault| {
                let name = &self.players[player].name;
                anyhow::anyhow!(
                    "player {name} is wrong on {board}, first click {}, game {game}: {fault}",
                    self.first_click
                )
            })?;
        }
        Ok(observer.into_tally())
    }
}

/// A range of games.
struct Chunk {
    player: usize,
    board: Board,
    first: u32,
    end: u32,
}

/// Writes the table as CSV, whole or not at all.
pub fn write(rows: &[CalibrationRow], path: &Path) -> anyhow::Result<()> {
    Ok(write_whole(path, &to_csv(rows)?)?)
}

/// A number of the table, with as many decimals as it has there.
fn rounded(value: f64) -> f64 {
    round(value, 6)
}
