//! Evaluates the positions after a guess for two-step safety, counting either all cells or only
//! living ones.

use crate::Cell;
use crate::solver::{Analysis, Budget, Children, CountError};

/// A single living cell proved safe counts less than several as long as at most this share of the
/// board's cells is unknown.
const UNKNOWN: f64 = 0.94;

/// The evaluation of the position after a candidate has shown a number.
pub(super) struct FollowUp {
    /// Safety of the next move.
    pub(super) safety: f64,
    /// The position's contribution to S of [`TwoStep`](super::TwoStep).
    pub(super) counts: f64,
    /// Number of cells proved safe.
    pub(super) cells: usize,
}

/// Evaluates the position in which the cell that `children` has opened shows `number`; with
/// `living`, only living cells count as cells proved safe and as next moves.
pub(super) fn follow_up(
    living: bool,
    parent: &Analysis,
    number: u8,
    children: &mut Children,
    budget: &mut Budget,
) -> Result<FollowUp, CountError> {
    if !living {
        let outlook = children.outlook(parent, number, budget)?;
        let counts = f64::from(u8::from(outlook.certain > 0));
        return Ok(FollowUp {
            safety: outlook.safety,
            counts,
            cells: outlook.certain,
        });
    }
    let weighs_one = parent.unknown() as f64 <= UNKNOWN * parent.grid().board().cells() as f64;
    let enough = if weighs_one { 2 } else { 1 };
    let outlook = children.living_outlook(parent, number, enough, budget)?;
    let cells = outlook.certain;
    Ok(match (cells, outlook.mine.or(outlook.dead_mine)) {
        // Nothing is left to guess.
        (0, None) => FollowUp {
            safety: 1.0,
            counts: 1.0,
            cells,
        },
        (0, Some(mine)) => FollowUp {
            safety: 1.0 - mine,
            counts: 0.0,
            cells,
        },
        (1, _) if weighs_one => {
            let p = outlook.mine.unwrap_or(0.0);
            FollowUp {
                safety: 1.0 - 0.5 * p,
                counts: 0.5,
                cells,
            }
        }
        _ => FollowUp {
            safety: 1.0,
            counts: 1.0,
            cells,
        },
    })
}

/// Returns whether a cell may be a candidate while some living cell may be safe. With `living`, a
/// dead cell may not be one.
pub(super) fn is_worth_a_guess(living: bool, parent: &Analysis, cell: Cell) -> bool {
    !living || !parent.is_dead(cell)
}
