//! Simple backtracking: the pruned search tree that Sinha et al. (2021, section 4.1) compare DSScsp
//! with. Players 1.0 to 2.5 use it.

use super::enumeration::Walk;
use super::{Budget, Enumeration, Exhausted, System, Traversal};
use mineflow_rng::Rng;

/// A variable on the path from the root to the current position of the walk.
#[derive(Clone, Copy, Debug)]
struct Level {
    column: u16,
    /// The first value to try, and the number of values tried.
    first: bool,
    tried: u8,
    /// The value assigned while the walk is below this level.
    mine: bool,
    solutions_before: u64,
}

/// Backtracking over the whole system, with its scratch memory. Each level assigns one variable, in
/// row-major order. A value is tried if every row of the variable allows it; nothing is propagated.
#[derive(Clone, Debug, Default)]
pub struct Backtracking {
    levels: Vec<Level>,
}

impl Backtracking {
    /// Walks the tree of `system` within the limits of `traversal`, and writes the result to
    /// `found`; `rng` is used by limited traversals only. Columns that have a value keep it. Each
    /// edge costs one node of `budget`. `system` is unchanged afterwards. After an error the
    /// content of `found` is meaningless.
    ///
    /// # Errors
    /// Returns an error if the budget is used up.
    pub fn enumerate(
        &mut self,
        system: &mut System,
        traversal: Traversal,
        rng: &mut Rng,
        budget: &mut Budget,
        found: &mut Enumeration,
    ) -> Result<(), Exhausted> {
        let columns = system.cells().len();
        let mut walk = Walk::new(traversal, rng);
        found.begin(columns);
        self.levels.clear();
        self.levels.extend(
            (0..columns)
                .filter(|&column| system.value(column).is_none())
                .map(|column| Level {
                    column: column as u16,
                    first: false,
                    tried: 0,
                    mine: false,
                    solutions_before: 0,
                }),
        );
        if system.is_impossible() || self.levels.is_empty() {
            walk.solutions = u64::from(!system.is_impossible());
            walk.finish(system, true, found);
            return Ok(());
        }
        let mut depth = 0;
        let finished = self.walk(system, &mut depth, &mut walk, budget, &mut found.mines);
        for level in self.levels[..depth].iter().rev() {
            step_back(system, level, &walk, &mut found.mines);
        }
        walk.finish(system, finished?, found);
        Ok(())
    }

    /// Walks the tree and returns whether it walked the whole tree. Sets `depth` to the number of
    /// levels below the root at which it stops.
    fn walk(
        &mut self,
        system: &mut System,
        depth: &mut usize,
        walk: &mut Walk<'_>,
        budget: &mut Budget,
        mines: &mut [u64],
    ) -> Result<bool, Exhausted> {
        let last = self.levels.len() - 1;
        self.levels[0].first = walk.first_value();
        loop {
            let level = &mut self.levels[*depth];
            if level.tried == 2 {
                if *depth == 0 {
                    return Ok(true);
                }
                *depth -= 1;
                step_back(system, &self.levels[*depth], walk, mines);
                continue;
            }
            let column = usize::from(level.column);
            let mine = level.first ^ (level.tried == 1);
            level.tried += 1;
            if !system.is_possible(column, mine) {
                continue;
            }
            if !walk.may_go_on() {
                return Ok(false);
            }
            budget.spend(1)?;
            walk.edges += 1;
            if *depth == last {
                // All rows are satisfied: each had at most one cell left, and its value fits.
                walk.solutions += 1;
                mines[column] += u64::from(mine);
                continue;
            }
            level.solutions_before = walk.solutions;
            level.mine = mine;
            system.assign(column, mine);
            *depth += 1;
            let level = &mut self.levels[*depth];
            level.first = walk.first_value();
            level.tried = 0;
        }
    }
}

/// Undoes the value of `level` and counts the solutions that have it.
#[inline]
fn step_back(system: &mut System, level: &Level, walk: &Walk<'_>, mines: &mut [u64]) {
    let column = usize::from(level.column);
    if level.mine {
        mines[column] += walk.solutions - level.solutions_before;
    }
    system.take_back(column, level.mine);
}
