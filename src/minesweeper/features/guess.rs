//! The candidates of a guess in rows, whichever set they are of.

use super::guess_v2::{self, RowScratch};
use super::{Position, PositionFeatures, RowsOf, guess_v1};
use crate::Cell;
use crate::ahead::{LayoutPlayout, LookScratch, Scored, TwoStep};
use crate::solver::{Analysis, Budget, CountError, Layouts, Weighting};
use mineflow_model::FeatureSet;

/// The sets of rows of a guess.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum GuessSet {
    #[default]
    V1,
    V2,
}

impl GuessSet {
    /// That of this name.
    pub fn of(name: &str) -> Option<Self> {
        [Self::V1, Self::V2].into_iter().find(|own| own.set().name == name)
    }

    /// The rule that finds the candidates.
    pub fn two_step(self) -> TwoStep {
        match self {
            Self::V1 => TwoStep::default(),
            Self::V2 => TwoStep::of_living_cells(),
        }
    }

    /// Numbers a row.
    fn width(self) -> usize {
        self.set().width()
    }

    /// Appends a row for each of the candidates `scored`, the best by the rule of the set first.
    pub fn append_rows(
        self,
        of: (&Analysis, &Layouts),
        scored: &[Scored],
        roll_out: &mut LayoutPlayout,
        scratch: &mut RowScratch,
        out: &mut Vec<f32>,
    ) {
        match self {
            Self::V1 => guess_v1::append_rows(of, scored, roll_out, &mut scratch.first, out),
            Self::V2 => guess_v2::append_rows(of, scored, roll_out, scratch, out),
        }
    }
}

impl PositionFeatures for GuessSet {
    fn set(&self) -> &'static FeatureSet {
        match self {
            Self::V1 => &guess_v1::SET,
            Self::V2 => &guess_v2::SET,
        }
    }

    /// Zeros for cells that two-step safety does not look at, and beyond the limits of counting.
    fn append_rows(&self, of: RowsOf<'_>, rows: &mut Vec<f32>, candidates: &mut Vec<f32>) {
        let guess = GuessRows::of(*self, of.position, candidates);
        for &cell in of.cells {
            match guess.row(cell, candidates) {
                Some(row) => rows.extend_from_slice(row),
                None => rows.resize(rows.len() + self.width(), 0.0),
            }
        }
    }
}

/// A position with its best candidates, looked ahead from; kept for its memory.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct GuessRows {
    set: GuessSet,
    pub parent: Analysis,
    pub layouts: Layouts,
    pub looking: LookScratch,
    pub roll_out: LayoutPlayout,
    scratch: RowScratch,
}

impl GuessRows {
    /// Of rows of this set.
    pub fn new(set: GuessSet) -> Self {
        Self { set, ..Self::default() }
    }

    /// Takes in a position, with a row for each candidate in place of what `rows` holds; none beyond the limits of counting.
    pub fn of(set: GuessSet, position: &Position<'_>, rows: &mut Vec<f32>) -> Self {
        let mut guess = Self::new(set);
        rows.clear();
        if guess.read(position, usize::MAX).is_ok() {
            guess.append(rows);
        }
        guess
    }

    /// The row of a cell among `rows`, those of all candidates; `None` if it is not one of them.
    pub fn row<'r>(&self, cell: Cell, rows: &'r [f32]) -> Option<&'r [f32]> {
        let place = self.looking.scored.iter().position(|candidate| candidate.cell == cell)?;
        rows.chunks_exact(self.set.width()).nth(place)
    }

    /// Takes in a position and finds at most `most` of its best candidates.
    ///
    /// # Errors
    /// As [`Analysis::probabilities`].
    pub fn read(&mut self, position: &Position<'_>, most: usize) -> Result<(), CountError> {
        let Self { parent, layouts, looking, .. } = self;
        let budget = &mut Budget::unlimited();
        parent.begin(position.view.grid(), position.view.mines());
        parent.update(position.view)?;
        parent.probabilities(Weighting::Posterior, budget)?;
        parent.layouts(layouts, budget)?;
        self.set.two_step().look(parent, position.mine, most, looking);
        Ok(())
    }

    /// Appends a row for each candidate, the best by two-step safety first.
    pub fn append(&mut self, rows: &mut Vec<f32>) {
        let Self { set, parent, layouts, looking, roll_out, scratch } = self;
        set.append_rows((parent, layouts), &looking.scored, roll_out, scratch, rows);
    }
}
