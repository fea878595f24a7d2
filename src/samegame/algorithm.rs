//! The algorithms by name, and what they give.

use std::fmt;
use std::str::FromStr;

use super::beam::Beam;
use super::board::{Board, Move};
use super::found::Found;
use super::greedy::Greedy;
use super::ida_star::IdaStar;
use super::nested::Nested;
use super::nrpa::Nrpa;
use super::options::{OptionError, Options};
use super::position::Position;
use super::puzzle::Puzzle;
use super::shape::{Large, Shape, Small};
use super::sp_mcts::SpMcts;
use crate::rng::Seed;
use crate::search::Budget;

/// A way to play SameGame, with its settings; as text `sp-mcts:c=0.5:d=10000`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    SpMcts(SpMcts),
    IdaStar(IdaStar),
    Greedy(Greedy),
    Nested(Nested),
    Nrpa(Nrpa),
    Beam(Beam),
}

/// A game played by an algorithm.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub line: Vec<Move>,
    pub score: i32,
    pub cleared: bool,
    pub play_outs: u64,
    /// Positions kept in memory, or looked at by an algorithm that keeps none.
    pub nodes: u64,
    /// The average depth of a node in the tree, if there is a tree.
    pub mean_depth: Option<f64>,
    /// The depth of the deepest node in the tree; of several trees the average.
    pub deepest: Option<f64>,
}

impl Outcome {
    /// A line from `board`, without a word about how it was found.
    ///
    /// # Panics
    /// If a move of the line can't be played.
    pub(super) fn of<S: Shape>(board: &Board<S>, line: Vec<Move>) -> Self {
        let mut position = Position::new(*board);
        position.replay(&line).expect("an algorithm plays legal moves");
        let (score, cleared) = (position.score(), position.board.is_cleared());
        Self { line, score, cleared, play_outs: 0, nodes: 0, mean_depth: None, deepest: None }
    }
}

impl Algorithm {
    /// The names of all algorithms.
    pub const NAMES: [&str; 6] = [SpMcts::NAME, IdaStar::NAME, Greedy::NAME, Nested::NAME, Nrpa::NAME, Beam::NAME];

    /// Plays a puzzle. The budget is for SP-MCTS; how long the others search, their own settings say.
    ///
    /// # Panics
    /// If the budget has no limit.
    pub fn solve(&self, puzzle: &Puzzle, budget: Budget, seed: Seed) -> Outcome {
        if puzzle.is_small() {
            self.solve_board::<Small>(&puzzle.board(), budget, seed)
        } else {
            self.solve_board::<Large>(&puzzle.board(), budget, seed)
        }
    }

    fn solve_board<S: Shape>(&self, board: &Board<S>, budget: Budget, seed: Seed) -> Outcome {
        let found = match self {
            Self::SpMcts(algorithm) => return algorithm.solve(board, budget, seed),
            Self::IdaStar(algorithm) => algorithm.solve(board).0,
            Self::Greedy(algorithm) => algorithm.solve(board),
            Self::Nested(algorithm) => algorithm.solve(board, seed),
            Self::Nrpa(algorithm) => algorithm.solve(board, seed),
            Self::Beam(algorithm) => algorithm.solve(board),
        };
        let Found { solution, positions } = found;
        Outcome { nodes: positions, ..Outcome::of(board, solution.moves) }
    }
}

impl FromStr for Algorithm {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        match name {
            SpMcts::NAME => SpMcts::parse(options).map(Self::SpMcts),
            IdaStar::NAME => IdaStar::parse(options).map(Self::IdaStar),
            Greedy::NAME => Greedy::parse(options).map(Self::Greedy),
            Nested::NAME => Nested::parse(options).map(Self::Nested),
            Nrpa::NAME => Nrpa::parse(options).map(Self::Nrpa),
            Beam::NAME => Beam::parse(options).map(Self::Beam),
            _ => Err(OptionError::Algorithm { name: name.to_owned(), known: Self::NAMES.join(", ") }),
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            Self::SpMcts(algorithm) => algorithm.text(),
            Self::IdaStar(algorithm) => algorithm.text(),
            Self::Greedy(algorithm) => algorithm.text(),
            Self::Nested(algorithm) => algorithm.text(),
            Self::Nrpa(algorithm) => algorithm.text(),
            Self::Beam(algorithm) => algorithm.text(),
        })
    }
}
