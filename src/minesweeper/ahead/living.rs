//! Evaluates the positions after a guess for two-step safety, counting either all cells or only
//! living ones.

use crate::solver::{Analysis, Budget, Children, CountError};

/// A single living cell proved safe counts less than several as long as at most this share of the
/// board's cells is unknown.
const UNKNOWN: f64 = 0.94;

/// The evaluation of the position after a candidate has shown a number.
pub(super) struct FollowUp {
    /// Safety of the next move.
    pub safety: f64,
    /// The position's contribution to S of [`TwoStep`](super::TwoStep).
    pub counts: f64,
    /// Number of cells proved safe.
    pub cells: usize,
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
        return Ok(FollowUp {
            safety: outlook.safety,
            counts: f64::from(u8::from(outlook.certain > 0)),
            cells: outlook.certain,
        });
    }
    let weighs_one = parent.unknown() as f64 <= UNKNOWN * parent.grid().board().cells() as f64;
    let enough = if weighs_one { 2 } else { 1 };
    let outlook = children.living_outlook(parent, number, enough, budget)?;
    let (safety, counts) = match (outlook.certain, outlook.mine.or(outlook.dead_mine)) {
        (0, Some(mine)) => (1.0 - mine, 0.0),
        (1, _) if weighs_one => (1.0 - 0.5 * outlook.mine.unwrap_or(0.0), 0.5),
        // Several cells are proved safe, or nothing is left to guess.
        _ => (1.0, 1.0),
    };
    Ok(FollowUp {
        safety,
        counts,
        cells: outlook.certain,
    })
}
