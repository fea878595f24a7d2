//! What a search came to.

use super::test_set::Solution;

/// The best line that a search has found, and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub solution: Solution,
    /// Groups removed on the way, each one a position: those of play-outs too.
    pub positions: u64,
}

impl Found {
    /// Takes what another search came to: its line if that is better, and its cost.
    pub(super) fn take(&mut self, other: Self) {
        self.positions += other.positions;
        if other.solution.score > self.solution.score {
            self.solution = other.solution;
        }
    }
}
