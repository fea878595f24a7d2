//! Answers questions about a position from the counts of its components.

use super::{
    CountError,
    budget::Budget,
    combination::{Combination, F64_BOUNDARY},
    deduction::SingleNumbers,
    frontier::Frontier,
    number::Wide,
    outlook::Outlook,
    probabilities::{Probabilities, Weighting},
};

/// The reason why a count in wide numbers succeeds.
const WIDE: &str = "wide numbers hold every count";

/// Scratch memory for counting, reused from position to position. Counts are floats, or wide
/// numbers if floats may overflow or underflow.
#[derive(Clone, Debug, Default)]
pub(super) struct Counter {
    floats: Combination<f64>,
    wides: Combination<Wide>,
}

impl Counter {
    /// Fills in `probabilities` for the position in `deduction`; `frontier` was built from it.
    pub fn probabilities(
        &mut self,
        position: (&SingleNumbers, &Frontier),
        weighting: Weighting,
        probabilities: &mut Probabilities,
        budget: &mut Budget,
    ) -> Result<(), CountError> {
        if position.1.cells > F64_BOUNDARY
            || !self
                .floats
                .probabilities(position, weighting, probabilities, budget)?
        {
            self.wides
                .probabilities(position, weighting, probabilities, budget)?;
        }
        Ok(())
    }

    /// Computes the outlook of a position without the probability of every cell.
    pub fn outlook(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<Outlook, CountError> {
        if frontier.cells <= F64_BOUNDARY
            && let Some(found) = self.floats.outlook(frontier, budget)?
        {
            return Ok(found);
        }
        Ok(self.wides.outlook(frontier, budget)?.expect(WIDE))
    }

    /// Returns the natural logarithm of the number of consistent layouts with exactly the board's
    /// mines.
    pub fn ln_layouts(
        &mut self,
        frontier: &Frontier,
        budget: &mut Budget,
    ) -> Result<f64, CountError> {
        if frontier.cells <= F64_BOUNDARY
            && let Some(found) = self.floats.ln_layouts(frontier, budget)?
        {
            return Ok(found);
        }
        Ok(self.wides.ln_layouts(frontier, budget)?.expect(WIDE))
    }
}
