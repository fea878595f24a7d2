//! The record of a self-play game.

use mineflow_learn::data::StoredDecision;
use mineflow_minesweeper::{Board, Cell};
use mineflow_rng::Seed;

/// A finished game with its rows.
pub(crate) struct PlayedGame {
    pub number: u64,
    pub seed: Seed,
    pub board: Board,
    pub won: bool,
    /// Whether the player gave up. Such a game has no result and thus no guesses and no rows.
    pub left_out: bool,
    /// The guesses; their packed positions are empty if positions are not recorded.
    pub guesses: Vec<StoredDecision>,
    /// The features, of shape rows x width in row-major order.
    pub features: Vec<f32>,
    /// The targets, one per row.
    pub target: Vec<f32>,
}

impl PlayedGame {
    /// Creates the record of a game before its first guess.
    pub fn new(number: u64, seed: Seed, board: Board) -> Self {
        Self {
            number,
            seed,
            board,
            won: false,
            left_out: false,
            guesses: Vec::new(),
            features: Vec::new(),
            target: Vec::new(),
        }
    }

    /// Returns the record of a game in which the player gave up.
    pub fn given_up(&self) -> Self {
        Self {
            left_out: true,
            ..Self::new(self.number, self.seed, self.board)
        }
    }

    /// Returns the number of guesses so far.
    pub fn turn(&self) -> u32 {
        self.guesses.len() as u32
    }

    /// Records the number of cells that the last guess, if there is one, and the moves proved safe
    /// that followed it have opened.
    pub fn end_guess(&mut self, opened: usize) {
        if let Some(last) = self.guesses.last_mut() {
            last.opened = opened as u32;
        }
    }

    /// Records a guess of an earlier record again, of which `rows` rows come here.
    pub fn keep(&mut self, decision: &StoredDecision, rows: u32) {
        self.guesses.push(StoredDecision {
            turn: self.turn(),
            rows,
            ..decision.clone()
        });
    }

    /// Records a guess of `cell`, of which `rows` rows come, before the cell is opened.
    pub fn guess(&mut self, cell: Cell, explored: bool, rows: u32) -> &mut StoredDecision {
        self.guesses.push(StoredDecision {
            game: self.number,
            seed: self.seed.value(),
            turn: self.turn(),
            explored,
            width: self.board.width() as u32,
            height: self.board.height() as u32,
            mines: self.board.mines() as u32,
            cell: cell.0.into(),
            safe: true,
            rows,
            ..StoredDecision::default()
        });
        self.guesses.last_mut().expect("it was just recorded")
    }
}

/// Returns the reward of a guess (equation 11 of Sinha et al.): the number of cells opened by it
/// and the moves proved safe that followed it, as a share of the board's safe cells, 0 to 1, or -1
/// for a mine.
pub(crate) fn reward(guess: &StoredDecision) -> f64 {
    if guess.safe {
        f64::from(guess.opened) / f64::from(guess.width * guess.height - guess.mines)
    } else {
        -1.0
    }
}
