//! The algorithms by name, and their results.

use std::{fmt, str::FromStr};

use super::{
    board::Board,
    found::FinishedGame,
    greedy::Greedy,
    nrpa::Nrpa,
    puzzle::Puzzle,
    shape::{Large, Shape, Small},
    sp_mcts::SpMcts,
};
use mineflow_rng::Seed;
use mineflow_search::{
    Budget,
    options::{OptionError, OptionList, OptionText, Options, changes},
};

/// An algorithm that plays SameGame, with its settings. Its text form is `sp-mcts:c=0.5:d=10000`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Algorithm {
    SpMcts(SpMcts),
    Greedy(Greedy),
    Nrpa(Nrpa),
}

impl Options for Algorithm {
    fn list(&mut self, list: &mut OptionList<'_, '_>) {
        match self {
            Self::SpMcts(settings) => settings.list(list),
            Self::Greedy(settings) => settings.list(list),
            Self::Nrpa(settings) => settings.list(list),
        }
    }
}

/// The revision of the algorithms, which is part of every [version](Algorithm::version). Raise it
/// in the commit that changes the line that any algorithm plays, so that earlier tables are not
/// mistaken for results of the current algorithms.
pub const REVISION: u32 = 2;

impl Algorithm {
    /// Returns the version of the algorithm: 12 hexadecimal digits that differ whenever its
    /// shortest text or [`REVISION`] differs.
    ///
    /// ```
    /// let version = |text: &str| text.parse::<mineflow_samegame::Algorithm>().unwrap().version();
    /// assert_eq!(version("nrpa:iterations=20:level=3"), version("nrpa:level=3:iterations=20"));
    /// assert_ne!(version("nrpa:iterations=20"), version("nrpa:iterations=30"));
    /// ```
    pub fn version(&self) -> String {
        mineflow_search::version(&self.to_string(), &[], REVISION)
    }

    const NAMES: [&'static str; 3] = ["sp-mcts", "greedy", "nrpa"];

    /// Returns the algorithm with the given name and its default settings.
    fn usual(name: &str) -> Option<Self> {
        match name {
            "sp-mcts" => Some(Self::SpMcts(SpMcts::default())),
            "greedy" => Some(Self::Greedy(Greedy::default())),
            "nrpa" => Some(Self::Nrpa(Nrpa::default())),
            _ => None,
        }
    }

    /// Returns the name of the algorithm, without settings.
    const fn name(&self) -> &'static str {
        match self {
            Self::SpMcts(_) => Self::NAMES[0],
            Self::Greedy(_) => Self::NAMES[1],
            Self::Nrpa(_) => Self::NAMES[2],
        }
    }

    /// Returns the algorithm with one option changed.
    ///
    /// # Errors
    /// Returns an error for an unknown option, or a value that the option can't take.
    pub fn with_option(mut self, key: &str, value: &str) -> Result<Self, OptionError> {
        let mut text = OptionText::new(self.name()).and(key, value);
        text.read_into(&mut self)?;
        text.finish()?;
        Ok(self)
    }

    /// Plays a puzzle. The budget applies to SP-MCTS only; the settings of every other algorithm
    /// determine how long it searches.
    ///
    /// # Panics
    /// Panics if the budget has no limit.
    pub fn solve(&self, puzzle: &Puzzle, budget: Budget, seed: Seed) -> FinishedGame {
        if puzzle.is_small() {
            self.solve_board::<Small>(&puzzle.board(), budget, seed)
        } else {
            self.solve_board::<Large>(&puzzle.board(), budget, seed)
        }
    }

    fn solve_board<S: Shape>(&self, board: &Board<S>, budget: Budget, seed: Seed) -> FinishedGame {
        match self {
            Self::SpMcts(settings) => settings.solve(board, budget, seed),
            Self::Greedy(settings) => settings.solve(board),
            Self::Nrpa(settings) => settings.solve(board, seed),
        }
    }
}

impl FromStr for Algorithm {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let mut text = OptionText::split(text)?;
        let says = "is not an algorithm; there are";
        let unknown = || OptionError::unknown(text.name(), says, &Self::NAMES);
        let mut algorithm = Self::usual(text.name()).ok_or_else(unknown)?;
        text.read_into(&mut algorithm)?;
        text.finish()?;
        Ok(algorithm)
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::usual(self.name()).expect("every algorithm has a name");
        write!(f, "{}{}", self.name(), changes(self, &usual))
    }
}
