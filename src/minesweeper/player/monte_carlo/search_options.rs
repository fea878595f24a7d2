//! How a guess is searched, as options of a recipe.

use std::time::Duration;

use super::guess_game::Risk;
use mineflow_search::options::{OptionError, OptionList, Options};
use mineflow_search::{Budget, FinalMove};

/// Most playouts of a guess, whatever its budget: the tree then takes about a gigabyte.
const MAX_PLAYOUTS: u64 = 1_000_000;
/// Most milliseconds of a guess: ten minutes.
const MAX_MILLISECONDS: u64 = 600_000;

/// What a guess may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SearchBudget {
    Playouts(u64),
    /// Of processor time, so that the guess depends on the machine.
    Milliseconds(u64),
}

impl SearchBudget {
    /// The same for a search that keeps a tree, whose playouts have a limit whatever the time.
    pub(super) fn of_tree(self) -> Budget {
        match self {
            Self::Playouts(playouts) => Budget::playouts(playouts),
            Self::Milliseconds(_) => Budget { playouts: Some(MAX_PLAYOUTS), ..self.into() },
        }
    }
}

impl From<SearchBudget> for Budget {
    fn from(budget: SearchBudget) -> Self {
        match budget {
            SearchBudget::Playouts(playouts) => Self::playouts(playouts),
            SearchBudget::Milliseconds(milliseconds) => Self::time(Duration::from_millis(milliseconds)),
        }
    }
}

impl Options for SearchBudget {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        let (mut playouts, mut milliseconds) = match *self {
            Self::Playouts(playouts) => (Some(playouts), None),
            Self::Milliseconds(milliseconds) => (None, Some(milliseconds)),
        };
        let gives_playouts = list.optional("playouts", &mut playouts, 1..=MAX_PLAYOUTS)?;
        let gives_milliseconds = list.optional("ms", &mut milliseconds, 1..=MAX_MILLISECONDS)?;
        match (playouts, milliseconds) {
            _ if gives_playouts && gives_milliseconds => return Err(list.both("playouts", "ms")),
            (Some(playouts), _) if gives_playouts => *self = Self::Playouts(playouts),
            (_, Some(milliseconds)) if gives_milliseconds => *self = Self::Milliseconds(milliseconds),
            _ => {}
        }
        Ok(())
    }
}

/// The options that `sp-mcts` and `uct` share.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct SearchOptions {
    pub budget: SearchBudget,
    /// Visits from which moves are chosen by the selection rule.
    pub threshold: u32,
    /// Cells are in question whose P is at most the least and this...
    pub margin: f64,
    /// ...and at most this many, the least P first; ties as in 7.0.
    pub arms: usize,
    /// After the guess, this many cells are looked at, those with the least estimate.
    pub width: usize,
    pub risk: Risk,
    pub final_move: FinalMove,
    /// The mean of the final move must lead that of 7.0's cell by this many standard errors; else 7.0's cell is taken.
    pub lead: f64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self {
            budget: SearchBudget::Playouts(1000),
            threshold: 0,
            margin: 0.05,
            arms: 8,
            width: 3,
            risk: Risk::Exact,
            final_move: FinalMove::HighestMean,
            lead: 0.0,
        }
    }
}

const FINAL_MOVES: [(&str, FinalMove); 3] = [
    ("highest-mean", FinalMove::HighestMean),
    ("most-playouts", FinalMove::MostPlayouts),
    ("top-score", FinalMove::TopScore),
];
const RISKS: [(&str, Risk); 2] = [("exact", Risk::Exact), ("drawn", Risk::Drawn)];

impl Options for SearchOptions {
    fn list(&mut self, list: &mut OptionList<'_, '_>) -> Result<(), OptionError> {
        self.budget.list(list)?;
        list.number("t", &mut self.threshold, 0..=1_000_000)?;
        list.number("margin", &mut self.margin, 0.0..=1.0)?;
        list.number("arms", &mut self.arms, 2..=1000)?;
        list.number("width", &mut self.width, 1..=1000)?;
        list.choice("risk", &mut self.risk, &RISKS)?;
        list.choice("final", &mut self.final_move, &FINAL_MOVES)?;
        list.number("lead", &mut self.lead, 0.0..=100.0)
    }
}
