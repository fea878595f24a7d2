//! The algorithms by name, and what they give.

use std::fmt;
use std::str::FromStr;

use super::beam::Beam;
use super::board::Board;
use super::found::{FinishedGame, SearchResult};
use super::greedy::Greedy;
use super::ida_star::IdaStar;
use super::nested::Nested;
use super::nrpa::Nrpa;
use super::puzzle::Puzzle;
use super::shape::{Large, Shape, Small};
use super::sp_mcts::SpMcts;
use mineflow_rng::Seed;
use mineflow_search::Budget;
use mineflow_search::options::{OptionError, OptionList, OptionText, Options, changes};

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

impl Algorithm {
    /// Each algorithm by its name, with its usual settings.
    fn all() -> [(&'static str, Self); 6] {
        [
            ("sp-mcts", Self::SpMcts(SpMcts::default())),
            ("ida-star", Self::IdaStar(IdaStar::default())),
            ("greedy", Self::Greedy(Greedy::default())),
            ("nested", Self::Nested(Nested::default())),
            ("nrpa", Self::Nrpa(Nrpa::default())),
            ("beam", Self::Beam(Beam::default())),
        ]
    }

    /// The names of all algorithms.
    pub fn names() -> [&'static str; 6] {
        Self::all().map(|(name, _)| name)
    }

    /// The algorithm's name, and the same algorithm with its usual settings.
    fn usual(&self) -> (&'static str, Self) {
        let same = |other: &Self| std::mem::discriminant(self) == std::mem::discriminant(other);
        Self::all().into_iter().find(|(_, usual)| same(usual)).expect("`all` holds every algorithm")
    }

    /// The algorithm with another value of one option.
    ///
    /// # Errors
    /// An option that the algorithm has not, or a value that the option can't take.
    pub fn with_option(mut self, key: &str, value: &str) -> Result<Self, OptionError> {
        let mut text = OptionText::new(self.usual().0).and(key, value);
        text.read_into(&mut self)?;
        text.finish()?;
        Ok(self)
    }

    /// Plays a puzzle. The budget is for SP-MCTS; how long the others search, their own settings say.
    ///
    /// # Panics
    /// If the budget has no limit.
    pub fn solve(&self, puzzle: &Puzzle, budget: Budget, seed: Seed) -> FinishedGame {
        if puzzle.is_small() {
            self.solve_board::<Small>(&puzzle.board(), budget, seed)
        } else {
            self.solve_board::<Large>(&puzzle.board(), budget, seed)
        }
    }

    fn solve_board<S: Shape>(&self, board: &Board<S>, budget: Budget, seed: Seed) -> FinishedGame {
        let found = match self {
            Self::SpMcts(algorithm) => return algorithm.solve(board, budget, seed),
            Self::IdaStar(algorithm) => algorithm.solve(board).0,
            Self::Greedy(algorithm) => algorithm.solve(board),
            Self::Nested(algorithm) => algorithm.solve(board, seed),
            Self::Nrpa(algorithm) => algorithm.solve(board, seed),
            Self::Beam(algorithm) => algorithm.solve(board),
        };
        let SearchResult { solution, positions } = found;
        FinishedGame { nodes: positions, ..FinishedGame::of(board, solution.moves) }
    }
}

/// Why a text is not an algorithm.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AlgorithmError {
    #[error("`{name}` is not an algorithm; there are {}", Algorithm::names().join(", "))]
    Unknown { name: String },
    #[error(transparent)]
    Options(#[from] OptionError),
}

impl Options for Algorithm {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        match self {
            Self::SpMcts(algorithm) => algorithm.list(list),
            Self::IdaStar(algorithm) => algorithm.list(list),
            Self::Greedy(algorithm) => algorithm.list(list),
            Self::Nested(algorithm) => algorithm.list(list),
            Self::Nrpa(algorithm) => algorithm.list(list),
            Self::Beam(algorithm) => algorithm.list(list),
        }
    }
}

impl FromStr for Algorithm {
    type Err = AlgorithmError;

    fn from_str(text: &str) -> Result<Self, AlgorithmError> {
        let mut text = OptionText::split(text)?;
        let found = Self::all().into_iter().find(|(name, _)| *name == text.name());
        let (_, mut algorithm) = found.ok_or_else(|| AlgorithmError::Unknown { name: text.name().to_owned() })?;
        text.read_into(&mut algorithm)?;
        text.finish()?;
        Ok(algorithm)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, usual) = self.usual();
        write!(f, "{name}{}", changes(self, &usual))
    }
}
