//! What is kept of a game of self-play.

use mineflow_minesweeper::{Board, Cell};
use mineflow_rng::Seed;

/// A game that was played, with its rows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlayedGame {
    pub(crate) number: u64,
    pub(crate) seed: Seed,
    pub(crate) board: Board,
    pub(crate) won: bool,
    pub(crate) guesses: Vec<Guessed>,
    /// Rows x width, row-major.
    pub(crate) features: Vec<f32>,
    /// One a row.
    pub(crate) target: Vec<f32>,
    /// The position of every guess as [`super::cells::pack`] lays it; empty where it isn't kept.
    pub(crate) cells: Vec<u8>,
}

/// A decision that was a guess, and what came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Guessed {
    pub(crate) cell: Cell,
    /// Whether the player's choice was replaced by a random one.
    pub(crate) explored: bool,
    pub(crate) safe: bool,
    /// Cells opened by it and by the certain moves that followed.
    pub(crate) opened: u32,
    /// Number of its rows.
    pub(crate) rows: u32,
}

impl Guessed {
    /// Equation 11: the cells opened as a share of the board's safe cells, 0 to 1; -1 for a mine.
    pub(crate) fn reward(&self, board: Board) -> f64 {
        if self.safe {
            f64::from(self.opened) / (board.cells() - board.mines()) as f64
        } else {
            -1.0
        }
    }
}
