//! The rows of all candidates of a guess.

use super::{RowScratch, WIDTH, append_rows};
use crate::{
    Cell,
    ahead::{LayoutPlayout, LookScratch, TwoStep},
    features::Position,
    solver::{Analysis, Budget, CountError, Layouts, Weighting},
};

/// A position with its best candidates and the scratch memory to compute their rows.
#[derive(Clone, Debug, Default)]
pub struct GuessRows {
    pub parent: Analysis,
    pub layouts: Layouts,
    pub looking: LookScratch,
    pub roll_out: LayoutPlayout,
    scratch: RowScratch,
}

impl GuessRows {
    /// Reads a position and replaces the content of `rows` with one row per candidate, or with
    /// nothing if the layouts of the position can't be counted.
    pub fn of(position: &Position<'_>, rows: &mut Vec<f32>) -> Self {
        let mut guess = Self::default();
        rows.clear();
        if guess.read(position, usize::MAX).is_ok() {
            guess.append(rows);
        }
        guess
    }

    /// Returns the row of `cell` in `rows`, which holds the rows of all candidates, or `None` if
    /// the cell is not a candidate.
    pub fn row<'r>(&self, cell: Cell, rows: &'r [f32]) -> Option<&'r [f32]> {
        let place = self
            .looking
            .scored
            .iter()
            .position(|candidate| candidate.cell == cell)?;
        rows.chunks_exact(WIDTH).nth(place)
    }

    /// Reads a position and finds up to `most` of its best candidates.
    ///
    /// # Errors
    /// Returns the errors of [`Analysis::probabilities`].
    pub fn read(&mut self, position: &Position<'_>, most: usize) -> Result<(), CountError> {
        let budget = &mut Budget::unlimited();
        self.parent.read(position.view)?;
        self.parent.probabilities(Weighting::Posterior, budget)?;
        self.parent.layouts(&mut self.layouts, budget)?;
        let rule = TwoStep::of_living_cells();
        rule.look(&mut self.parent, position.mine, most, &mut self.looking);
        Ok(())
    }

    /// Appends one row per candidate, sorted by two-step safety, best first.
    pub fn append(&mut self, rows: &mut Vec<f32>) {
        append_rows(
            (&self.parent, &self.layouts),
            &self.looking.scored,
            &mut self.roll_out,
            &mut self.scratch,
            rows,
        );
    }
}
