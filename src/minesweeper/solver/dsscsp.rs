//! DSScsp: enumeration with DSS at every node (Sinha et al. 2021, section 4.1, algorithm 3).
//! Players 3.5, 4.5 and 5.0 to 6.5 use it.

use super::{
    Budget, Dss, Enumeration, Exhausted, System, Traversal,
    descents::{Descents, Errand, Subset},
    enumeration::Walk,
    tree::{DssTree, Order},
};
use mineflow_rng::Rng;

/// Number of descents in the first round. If not every descent finds a new solution, the tree may
/// be small; it is then walked until the walk is complete or has found more solutions than
/// requested.
const FIRST_DESCENTS: u64 = 16;

/// The DSScsp solver (algorithm 3 of Sinha et al. 2021), with its scratch memory. It searches the
/// whole system without splitting it into components, uses one stack, and allocates nothing per
/// node.
#[derive(Clone, Debug)]
pub struct Dsscsp {
    tree: DssTree,
    descents: Descents,
    order: Vec<u16>,
    /// The result of the complete walk through a tree that may be small.
    whole: Enumeration,
}

impl Default for Dsscsp {
    /// Creates a DSScsp solver that runs at most ten DSS loops at each node.
    fn default() -> Self {
        Self::new(Dss::default())
    }
}

impl Dsscsp {
    /// Creates a DSScsp solver that runs `dss` at each node.
    pub fn new(dss: Dss) -> Self {
        Self {
            tree: DssTree::new(dss.clone()),
            descents: Descents::new(dss),
            order: Vec::new(),
            whole: Enumeration::default(),
        }
    }

    /// Walks the tree of `system`. All arguments are those of
    /// [`Backtracking::enumerate`](super::Backtracking::enumerate).
    ///
    /// The branching variable of a node is the column of `A` with the largest sum, ties in
    /// row-major order. A row keeps all its unknown columns until they have values, and thus a
    /// column's sum stays the same as at the root until the column itself is reduced to zero.
    /// Sorting the columns once therefore gives the same variable at every node.
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
        self.sort_columns(system);
        let order = Order {
            columns: &self.order,
            propagated: None,
        };
        let mut walk = Walk::new(traversal, rng);
        self.tree.enumerate(system, order, &mut walk, budget, found)
    }

    /// Finds a random subset of the solutions. `system` and `found` are those of
    /// [`Dsscsp::enumerate`]. As soon as some descent finds no new solution, a tree with no more
    /// solutions than `subset` requests is walked completely, and `found` is then complete. Each
    /// edge costs one node of `budget`.
    ///
    /// # Errors
    /// Returns an error if the budget is used up.
    pub fn draw(
        &mut self,
        system: &mut System,
        subset: Subset,
        rng: &mut Rng,
        budget: &mut Budget,
        found: &mut Enumeration,
    ) -> Result<(), Exhausted> {
        self.sort_columns(system);
        self.descents.begin();
        found.begin(system.cells().len());
        let mut descents = FIRST_DESCENTS.min(subset.solutions);
        let mut left = subset.max_descents();
        let mut may_be_small = true;
        while descents > 0 {
            left -= descents;
            let before = found.solutions;
            let mut errand = Errand {
                order: &self.order,
                subset,
                rng,
                budget,
                found,
            };
            self.descents.send(system, descents, &mut errand)?;
            // Descents rarely reach the same solution in a large tree.
            if may_be_small && found.solutions - before < descents {
                may_be_small = false;
                if self.walk_whole(system, subset, budget, found)? {
                    return Ok(());
                }
            }
            // Send at most as many descents as solutions are missing, so that never too many are
            // found.
            descents = (subset.solutions - found.solutions).min(left);
        }
        found.count_reduced(system);
        Ok(())
    }

    /// Finds all solutions if there are at most as many as `subset` requests. Otherwise returns
    /// false and leaves the solutions in `found` unchanged.
    fn walk_whole(
        &mut self,
        system: &mut System,
        subset: Subset,
        budget: &mut Budget,
        found: &mut Enumeration,
    ) -> Result<bool, Exhausted> {
        let mut walk = Walk::up_to(subset.solutions.saturating_add(1));
        self.whole.begin(system.cells().len());
        let mines = &mut self.whole.mines;
        let order = Order {
            columns: &self.order,
            propagated: None,
        };
        let complete = self.tree.walk(system, order, &mut walk, budget, mines)?;
        walk.edges += found.edges;
        found.edges = walk.edges;
        let is_small = complete && walk.solutions <= subset.solutions;
        if is_small {
            walk.finish(system, true, &mut self.whole);
            std::mem::swap(found, &mut self.whole);
        }
        Ok(is_small)
    }

    /// Sorts the columns of `A` by descending sum, ties in row-major order.
    fn sort_columns(&mut self, system: &System) {
        self.order.clear();
        self.order.extend(0..system.cells().len() as u16);
        self.order.sort_unstable_by_key(|&column| {
            (8 - system.rows_of(usize::from(column)).len(), column)
        });
    }
}
