//! Answers questions about a position from the counts of its components.

use super::CountError;
use super::budget::Budget;
use super::combination::{Combination, F64_BOUNDARY};
use super::deduction::SingleNumbers;
use super::elimination::Plan;
use super::frontier::Frontier;
use super::number::Wide;
use super::outlook::Outlook;
use super::probabilities::{Output, Probabilities, Weighting};
use crate::Cell;

/// Scratch memory for counting, reused from position to position.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    plan: Plan,
    floats: Combination<f64>,
    wides: Combination<Wide>,
    safe: Vec<Cell>,
    mines: Vec<Cell>,
}

/// A question about a frontier; the answer is `None` if the counts may leave the range of `N`.
type Question<N, T> =
    fn(&mut Combination<N>, &Frontier, &mut Plan, &mut Budget) -> Result<Option<T>, CountError>;

/// The cells that counting proved.
pub(super) struct Found<'a> {
    /// Cells that are a mine in no layout (`safe`) or in every layout (`mines`), without those that
    /// were proved before the count.
    pub(super) safe: &'a [Cell],
    pub(super) mines: &'a [Cell],
}

impl Counter {
    /// Fills in `probabilities` for the position in `deduction`; `frontier` was built from it.
    pub(super) fn probabilities(
        &mut self,
        deduction: &SingleNumbers,
        frontier: &Frontier,
        weighting: Weighting,
        probabilities: &mut Probabilities,
        budget: &mut Budget,
    ) -> Result<Found<'_>, CountError> {
        self.safe.clear();
        self.mines.clear();
        let mut found = Output {
            probabilities,
            safe: &mut self.safe,
            mines: &mut self.mines,
            deduction,
        };
        if frontier.cells > F64_BOUNDARY
            || !self.floats.probabilities(
                frontier,
                weighting,
                &mut self.plan,
                &mut found,
                budget,
            )?
        {
            self.wides
                .probabilities(frontier, weighting, &mut self.plan, &mut found, budget)?;
        }
        Ok(Found {
            safe: &self.safe,
            mines: &self.mines,
        })
    }

    /// Computes the outlook of a position without the probability of every cell.
    pub(super) fn outlook(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<Outlook, CountError> {
        self.ask(frontier, budget, Combination::outlook, Combination::outlook)
    }

    /// Returns the natural logarithm of the number of consistent layouts with exactly the board's
    /// mines.
    pub(super) fn ln_layouts(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<f64, CountError> {
        self.ask(
            frontier,
            budget,
            Combination::ln_layouts,
            Combination::ln_layouts,
        )
    }

    /// Answers a question in floats, or in wide numbers if floats may overflow or underflow.
    fn ask<T>(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
        floats: Question<f64, T>,
        wides: Question<Wide, T>,
    ) -> Result<T, CountError> {
        if frontier.cells <= F64_BOUNDARY
            && let Some(found) = floats(&mut self.floats, frontier, &mut self.plan, budget)?
        {
            return Ok(found);
        }
        let found = wides(&mut self.wides, frontier, &mut self.plan, budget)?;
        Ok(found.expect("wide numbers hold every count"))
    }
}
