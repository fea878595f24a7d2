//! Two-step safety that counts living cells.

use crate::Cell;
use crate::solver::{Analysis, Budget, Children, CountError};

/// How two-step safety counts living cells only: cells that are not dead ([`Analysis::is_dead`]). A certain cell that is dead does not help,
/// as the number that it will show is known. One living cell alone may lead to no other.
///
/// In the position after a number, certain cells and next moves are living ones. Where just one living cell is certain, the next move is
/// worth 1 - `risk` x p, where p is the least probability of a mine in a living cell that may be either, 0 if there is none; and the
/// position counts `less` less in S. Where only dead cells are left, the next move is the safest of these; where nothing is left to
/// guess, the game is won, which counts as a certain cell does. Dead cells are no candidates as long as a living one may be safe.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Living {
    /// 0 to 1.
    pub risk: f64,
    /// 0 to 1.
    pub less: f64,
    /// The greatest share of the board's cells that may be unknown for a single certain cell to count so; else it counts as several do.
    pub unknown: f64,
}

impl Default for Living {
    fn default() -> Self {
        Self { risk: 0.5, less: 0.5, unknown: 0.94 }
    }
}

/// What the position after a number is worth.
pub(super) struct FollowUp {
    /// Of the next move.
    pub(super) safety: f64,
    /// What the position counts in S.
    pub(super) counts: f64,
    /// Certain cells.
    pub(super) cells: usize,
}

/// What follows where the cell that `children` has opened shows `number`; `living` says how living cells count alone, if they do.
pub(super) fn follow_up(
    living: Option<Living>,
    parent: &Analysis,
    number: u8,
    children: &mut Children,
    budget: &mut Budget,
) -> Result<FollowUp, CountError> {
    let Some(rule) = living else {
        let outlook = children.outlook(parent, number, budget)?;
        let counts = f64::from(u8::from(outlook.certain > 0));
        return Ok(FollowUp { safety: outlook.safety, counts, cells: outlook.certain });
    };
    let weighs_one = parent.unknown() as f64 <= rule.unknown * parent.grid().board().cells() as f64;
    let enough = if weighs_one && (rule.risk > 0.0 || rule.less > 0.0) { 2 } else { 1 };
    let outlook = children.living_outlook(parent, number, enough, budget)?;
    let cells = outlook.certain;
    Ok(match (cells, outlook.mine.or(outlook.dead_mine)) {
        // Nothing is left to guess.
        (0, None) => FollowUp { safety: 1.0, counts: 1.0, cells },
        (0, Some(mine)) => FollowUp { safety: 1.0 - mine, counts: 0.0, cells },
        (1, _) if weighs_one => {
            let p = outlook.mine.unwrap_or(0.0);
            FollowUp { safety: 1.0 - rule.risk * p, counts: 1.0 - rule.less, cells }
        }
        _ => FollowUp { safety: 1.0, counts: 1.0, cells },
    })
}

/// Whether a cell may be a candidate beside living ones.
pub(super) fn is_worth_a_guess(living: Option<Living>, parent: &Analysis, cell: Cell) -> bool {
    living.is_none() || !parent.is_dead(cell)
}
