//! The exact solution of the stage that follows a guess, given the number that the guess has shown.

use crate::Cell;
use crate::ahead::safest;
use crate::solver::{Analysis, Budget, CountError, Weighting};

/// The exactly known part of the stage after a number was shown.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct NextStage {
    /// The probability that the safest move of the stage does not hit a mine; 1 if a cell is proved safe, if no unknown cell is left, or if
    /// the posterior can't be counted.
    pub(super) safety: f64,
    /// The cells proved safe, or the safest cell if there are none; empty if the posterior can't be counted.
    pub(super) cells: Vec<Cell>,
    /// Whether no unknown cell is left in the stage.
    pub(super) is_won: bool,
}

impl NextStage {
    /// Solves the stage after `cell` has shown `number` in the position of `parent`. The number must be possible; `child` is scratch
    /// memory.
    pub(super) fn solve(parent: &Analysis, cell: Cell, number: u8, child: &mut Analysis) -> Self {
        let unknown = Self {
            safety: 1.0,
            cells: Vec::new(),
            is_won: false,
        };
        Self::count(parent, cell, number, child).unwrap_or(unknown)
    }

    fn count(
        parent: &Analysis,
        cell: Cell,
        number: u8,
        child: &mut Analysis,
    ) -> Result<Self, CountError> {
        child.follow(parent);
        child.suppose(cell, number)?;
        if child.safe().is_empty() && child.unknown() > 0 {
            child.probabilities(Weighting::Posterior, &mut Budget::unlimited())?;
        }
        let is_won = child.unknown() == 0;
        if is_won || !child.safe().is_empty() {
            return Ok(Self {
                safety: 1.0,
                cells: child.safe().to_vec(),
                is_won,
            });
        }
        let guess = safest(child);
        Ok(Self {
            safety: 1.0 - child.counted().mine[guess.index()],
            cells: vec![guess],
            is_won,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::View;

    #[test]
    fn certain_cells_come_first_then_the_safest_one() {
        let view = View::from_rows(&["1##", "###"], 1).unwrap();
        let (mut parent, mut child) = (Analysis::new(), Analysis::new());
        parent.begin(view.grid(), view.mines());
        parent.update(&view).unwrap();
        // One of the three cells around the 1 is a mine. If the cell below the 1 shows 1, two of them are left, and the cells on the right
        // are safe.
        let next = NextStage::solve(&parent, Cell(3), 1, &mut child);
        assert_eq!(
            (next.safety, next.cells, next.is_won),
            (1.0, vec![Cell(2), Cell(5)], false)
        );
        // If the cell at the top right shows 0, just one of the three cells is left.
        let next = NextStage::solve(&parent, Cell(2), 0, &mut child);
        assert!(next.is_won && next.safety == 1.0);
        // If the cell at the bottom right shows 1, the two remaining cells can't be distinguished.
        let view = View::from_rows(&["1#", "##"], 1).unwrap();
        parent.begin(view.grid(), view.mines());
        parent.update(&view).unwrap();
        let next = NextStage::solve(&parent, Cell(3), 1, &mut child);
        assert!(
            (next.safety - 0.5).abs() < 1e-12 && next.cells.len() == 1 && !next.is_won,
            "{next:?}"
        );
    }
}
