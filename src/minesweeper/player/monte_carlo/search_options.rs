//! How a guess is searched, as options of a recipe.

use std::fmt;
use std::time::Duration;

use rand::Rng as _;

use super::super::syntax::{PartText, RecipeError};
use super::guess::{Guess, Question, Risk};
use super::playout::LeastEstimate;
use crate::Cell;
use crate::features::Position;
use crate::solver::{Layouts, TIE};
use mineflow_rng::{Rng, Seed};
use mineflow_search::{
    Budget, Ended, Expansion, FinalMove, Search, SearchSettings, Select, Statistics, Transpositions,
};

/// Most playouts of a guess, whatever its budget: the tree then takes about a gigabyte.
const MAX_PLAYOUTS: u64 = 1_000_000;
/// Most milliseconds of a guess: ten minutes.
const MAX_MILLISECONDS: u64 = 600_000;

/// What a guess may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchBudget {
    Playouts(u64),
    /// Of processor time, so that the guess depends on the machine.
    Milliseconds(u64),
}

impl fmt::Display for SearchBudget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Playouts(playouts) => write!(f, "playouts={playouts}"),
            Self::Milliseconds(milliseconds) => write!(f, "ms={milliseconds}"),
        }
    }
}

/// The options that `sp-mcts` and `uct` share.
#[derive(Clone, Copy, PartialEq, Debug)]
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

impl SearchOptions {
    pub(in crate::player) fn read(part: &mut PartText<'_>) -> Result<Self, RecipeError> {
        let usual = Self::default();
        let budget = read_budget(part)?.unwrap_or(usual.budget);
        let threshold = part.take_number("t", "a whole number from 0 to 1000000", 0..=1_000_000)?;
        let margin = part.take_share("margin")?;
        let arms = part.take_number("arms", "a whole number from 2 to 1000", 2..=1000)?;
        let width = part.take_number("width", "a whole number from 1 to 1000", 1..=1000)?;
        let risk = part.take("risk", "exact or drawn", |value| named(value, &RISKS))?;
        let final_move =
            part.take("final", "highest-mean, most-playouts or top-score", |value| named(value, &FINAL_MOVES))?;
        let lead = part.take_number("lead", "a number from 0 to 100", 0.0..=100.0)?;
        Ok(Self {
            budget,
            threshold: threshold.unwrap_or(usual.threshold),
            margin: margin.unwrap_or(usual.margin),
            arms: arms.unwrap_or(usual.arms),
            width: width.unwrap_or(usual.width),
            risk: risk.unwrap_or(usual.risk),
            final_move: final_move.unwrap_or(usual.final_move),
            lead: lead.unwrap_or(usual.lead),
        })
    }

    /// The cell to open; `mine` has the probabilities of the candidates, NaN elsewhere. Nothing is searched where only
    /// one cell is in question.
    pub(in crate::player) fn choose(
        &self,
        (position, mine): (&Position<'_>, &[f64]),
        layouts: &Layouts,
        select: impl Select,
        rng: &mut Rng,
    ) -> Option<Cell> {
        let arms = self.arms(position, mine);
        if arms.len() < 2 {
            return arms.first().map(|&(cell, _)| cell);
        }
        let Self { width, risk, .. } = *self;
        let root = Guess::new(Question { view: position.view, layouts, arms: &arms, width, risk });
        let settings = SearchSettings {
            select,
            threshold: self.threshold,
            expansion: Expansion::AfterVisits,
            ended: Ended::Again,
            final_move: self.final_move,
            transpositions: Transpositions::Apart,
        };
        let mut search = Search::new(root, LeastEstimate, settings, Seed::new(rng.next_u64()));
        search.run(match self.budget {
            SearchBudget::Playouts(playouts) => Budget::playouts(playouts),
            SearchBudget::Milliseconds(milliseconds) => {
                Budget { time: Some(Duration::from_millis(milliseconds)), ..Budget::playouts(MAX_PLAYOUTS) }
            }
        });
        // Fewer playouts than `t` try no move.
        let (plain, found) = (arms[0].0, search.final_move().unwrap_or(arms[0].0));
        let statistics = |wanted| search.moves().find(|&(cell, _)| cell == wanted).map(|(_, statistics)| *statistics);
        let leads = match (statistics(found), statistics(plain)) {
            (Some(found), Some(plain)) => {
                let error = (square_of_error(&found) + square_of_error(&plain)).sqrt();
                found.mean() - plain.mean() >= self.lead * error
            }
            _ => true,
        };
        Some(if self.lead == 0.0 || leads { found } else { plain })
    }

    /// The cells in question, the least P first; ties as in 7.0: the boundary, the fewest neighbours, the first.
    fn arms(&self, position: &Position<'_>, mine: &[f64]) -> Vec<(Cell, f64)> {
        let least = mine.iter().copied().fold(f64::INFINITY, f64::min);
        let limit = if least < 1.0 - TIE { (least + self.margin + TIE).min(1.0 - TIE) } else { least };
        let cells = position.view.grid().board().all_cells().zip(mine.iter().copied());
        let mut arms: Vec<_> = cells.filter(|&(_, mine)| mine <= limit).collect();
        let grid = position.view.grid();
        // Probabilities closer than a tie are equal.
        let rank = |&(cell, mine): &(Cell, f64)| {
            ((mine / TIE).round() as u64, !position.boundary.contains(cell), grid.neighbor_count(cell))
        };
        arms.sort_by_key(rank);
        arms.truncate(self.arms);
        arms
    }
}

/// The budget that `part` gives, if it gives one.
pub(super) fn read_budget(part: &mut PartText<'_>) -> Result<Option<SearchBudget>, RecipeError> {
    let playouts = part.take_number("playouts", "a whole number from 1 to 1000000", 1..=MAX_PLAYOUTS)?;
    let milliseconds = part.take_number("ms", "a whole number from 1 to 600000", 1..=MAX_MILLISECONDS)?;
    match (playouts, milliseconds) {
        (Some(_), Some(_)) => Err(RecipeError::TwoBudgets { part: part.name().to_owned() }),
        (Some(playouts), None) => Ok(Some(SearchBudget::Playouts(playouts))),
        (None, Some(milliseconds)) => Ok(Some(SearchBudget::Milliseconds(milliseconds))),
        (None, None) => Ok(None),
    }
}

/// The square of the standard error of the mean.
fn square_of_error(of: &Statistics) -> f64 {
    let visits = f64::from(of.visits);
    (of.sum_squares / visits - of.mean().powi(2)).max(0.0) / visits
}

fn named<T: Copy>(value: &str, names: &[(&str, T)]) -> Option<T> {
    names.iter().find(|(name, _)| *name == value).map(|&(_, named)| named)
}

fn name<T: PartialEq>(value: &T, names: &[(&'static str, T)]) -> &'static str {
    names.iter().find(|(_, named)| named == value).map(|&(name, _)| name).expect("every choice has a name")
}

/// The budget and `t` always, the others where they differ from the usual.
impl fmt::Display for SearchOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { budget, threshold, margin, arms, width, risk, final_move, lead } = self;
        write!(f, "{budget}:t={threshold}")?;
        let usual = Self::default();
        let others = [
            ("margin", margin.to_string(), *margin != usual.margin),
            ("arms", arms.to_string(), *arms != usual.arms),
            ("width", width.to_string(), *width != usual.width),
            ("risk", name(risk, &RISKS).to_owned(), *risk != usual.risk),
            ("final", name(final_move, &FINAL_MOVES).to_owned(), *final_move != usual.final_move),
            ("lead", lead.to_string(), *lead != usual.lead),
        ];
        others.iter().filter(|(_, _, differs)| *differs).try_for_each(|(key, value, _)| write!(f, ":{key}={value}"))
    }
}
