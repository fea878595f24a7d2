//! The record of a self-play game.

use mineflow_minesweeper::{Board, Cell};
use mineflow_rng::Seed;

/// A finished game with its rows.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PlayedGame {
    pub(crate) number: u64,
    pub(crate) seed: Seed,
    pub(crate) board: Board,
    pub(crate) won: bool,
    /// Whether the player gave up. Such a game has no result and thus no guesses and no rows.
    pub(crate) left_out: bool,
    pub(crate) guesses: Vec<Guessed>,
    /// The features, of shape rows x width in row-major order.
    pub(crate) features: Vec<f32>,
    /// The targets, one per row.
    pub(crate) target: Vec<f32>,
    /// The position of every guess as packed by [`super::cells::pack`]; empty if positions are not
    /// recorded.
    pub(crate) cells: Vec<u8>,
}

impl PlayedGame {
    /// Creates the record of a game before its first guess.
    pub(crate) fn new(number: u64, seed: Seed, board: Board) -> Self {
        Self {
            number,
            seed,
            board,
            won: false,
            left_out: false,
            guesses: Vec::new(),
            features: Vec::new(),
            target: Vec::new(),
            cells: Vec::new(),
        }
    }
}

/// A guess with its outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Guessed {
    pub(crate) cell: Cell,
    /// Whether the player's choice was replaced by a random one.
    pub(crate) explored: bool,
    pub(crate) safe: bool,
    /// Number of cells opened by the guess and by the moves proved safe that followed it.
    pub(crate) opened: u32,
    /// Number of rows made from the guess.
    pub(crate) rows: u32,
}

impl Guessed {
    /// Returns the reward (equation 11 of Sinha et al.): the number of cells opened as a share of
    /// the board's safe cells, 0 to 1, or -1 for a mine.
    pub(crate) fn reward(&self, board: Board) -> f64 {
        if self.safe {
            f64::from(self.opened) / (board.cells() - board.mines()) as f64
        } else {
            -1.0
        }
    }
}
