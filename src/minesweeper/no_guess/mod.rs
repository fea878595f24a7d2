//! Boards that can be solved from the first click without a guess, and the difficulty of the proofs
//! that they need.
//!
//! ```
//! use mineflow_minesweeper::no_guess::{Level, NoGuess};
//! use mineflow_minesweeper::{Board, FirstClick};
//! use mineflow_rng::Seed;
//!
//! let board: Board = "9x9/10".parse().unwrap();
//! let mut no_guess = NoGuess::new(board, FirstClick::Opening);
//! let corner = board.cell(0, 0).unwrap();
//! let levels = (0..200).map(|game| no_guess.level(Seed::new(1).child("game", game), corner));
//! assert!(levels.flatten().any(|level| level == Level::SingleNumbers));
//! ```

mod measures;
mod pairs;

pub use measures::Measures;

use self::pairs::Pairs;
use super::{
    Board, Cell, FirstClick, Game, Minefield, Status,
    solver::{Analysis, Budget, Weighting},
};
use mineflow_rng::Seed;
use mineflow_store::named;

/// The node limit of one count. A board that exceeds this limit is rejected, like a board that
/// needs a guess.
const NODES: u64 = 1_000_000;

/// The hardest kind of proof that a board needs if easier ones are always tried first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// A single number proves that all its undetermined neighbours are safe, or that all of them
    /// are mines.
    SingleNumbers,
    /// Two numbers together prove that some cells are safe or mines.
    Pairs,
    /// The count of all consistent layouts proves that some cells are safe or mines.
    WholeCount,
}

named!(Level, "level": SingleNumbers = "single-numbers", Pairs = "pairs", WholeCount = "whole-count");

/// Solves boards without guessing, one after another.
pub struct NoGuess {
    game: Game,
    analysis: Analysis,
    pairs: Pairs,
}

impl NoGuess {
    /// Creates a solver of boards of this size.
    ///
    /// # Panics
    /// [`NoGuess::level`] panics if `board` is not [playable](Board::playable).
    pub fn new(board: Board, first_click: FirstClick) -> Self {
        Self {
            game: Game::new(board, first_click),
            analysis: Analysis::new(),
            pairs: Pairs::default(),
        }
    }

    /// Returns the level of the hardest proof that the board drawn from `seed` needs after a first
    /// click on `first`. Returns `None` if the board needs a guess, the first click loses, or a
    /// count exceeds its node limit.
    ///
    /// # Panics
    /// Panics if `first` is off the board.
    pub fn level(&mut self, seed: Seed, first: Cell) -> Option<Level> {
        self.game.start(seed);
        self.analysis
            .begin(&self.game.view().grid().clone(), self.game.view().mines());
        let mut hardest = Level::SingleNumbers;
        let mut status = self.game.open(first).expect("a new game has no open cell");
        while status == Status::Playing {
            self.analysis
                .update(self.game.view())
                .expect("numbers of a game agree");
            let level = self.prove()?;
            hardest = hardest.max(level);
            for cell in self.analysis.safe().to_vec() {
                if status == Status::Playing && !self.game.view().is_open(cell) {
                    status = self.game.open(cell).expect("it is covered");
                }
            }
        }
        (status == Status::Won).then_some(hardest)
    }

    /// Returns the minefield of the board that was solved last.
    pub fn field(&self) -> &Minefield {
        self.game.field().expect("its first click has laid them")
    }

    /// Finds safe cells with the easiest kind of proof that succeeds, and returns the level of the
    /// proof, or `None` if no proof succeeds.
    fn prove(&mut self) -> Option<Level> {
        if !self.analysis.safe().is_empty() {
            return Some(Level::SingleNumbers);
        }
        while self.pairs.learn(self.game.view(), &mut self.analysis) {
            if !self.analysis.safe().is_empty() {
                return Some(Level::Pairs);
            }
        }
        let mut budget = Budget::new(Some(NODES), None);
        self.analysis
            .probabilities(Weighting::Posterior, &mut budget)
            .ok()?;
        (!self.analysis.safe().is_empty()).then_some(Level::WholeCount)
    }
}
