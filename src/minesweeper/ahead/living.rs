//! Two-step safety that counts living cells.

use crate::Cell;
use crate::solver::{Analysis, Budget, Children, CountError};

/// The greatest share of the board's cells that may be unknown for a single certain cell to count less than several do.
const UNKNOWN: f64 = 0.94;

/// What the position after a number is worth.
pub(super) struct FollowUp {
    /// Of the next move.
    pub(super) safety: f64,
    /// What the position counts in S.
    pub(super) counts: f64,
    /// Certain cells.
    pub(super) cells: usize,
}

/// What follows where the cell that `children` has opened shows `number`; `living` says whether only living cells count.
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

/// Whether a cell may be a candidate beside living ones.
pub(super) fn is_worth_a_guess(living: bool, parent: &Analysis, cell: Cell) -> bool {
    !living || !parent.is_dead(cell)
}
