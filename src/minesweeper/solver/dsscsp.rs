//! DSScsp: enumeration with DSS at every node (main paper, section 4.1, algorithm 3). Players 3.0 and later.

use super::descents::{Descents, Errand, Subset};
use super::enumeration::Walk;
use super::tree::{DssTree, Order};
use super::{Budget, Dss, Enumeration, Exhausted, System, Traversal};
use mineflow_rng::Rng;

/// Descents after which a tree is taken for a small one if two of them have met.
const FIRST_DESCENTS: u64 = 16;

/// Algorithm 3 over the whole system, with its scratch: no components, one stack, nothing allocated per node.
#[derive(Clone, Debug)]
pub struct Dsscsp {
    tree: DssTree,
    descents: Descents,
    order: Vec<u16>,
    /// What the walk through a tree that may be small finds.
    whole: Enumeration,
}

impl Default for Dsscsp {
    /// At most ten loops of DSS at a node.
    fn default() -> Self {
        Self::new(Dss::default())
    }
}

impl Dsscsp {
    /// Algorithm 3 with `dss` at its nodes.
    pub fn new(dss: Dss) -> Self {
        Self {
            tree: DssTree::new(dss.clone()),
            descents: Descents::new(dss),
            order: Vec::new(),
            whole: Enumeration::default(),
        }
    }

    /// Walks the tree of `system`; all arguments are those of [`Backtracking::enumerate`](super::Backtracking::enumerate).
    ///
    /// The variable of a node is the column of `A` with the largest sum, the first of them in row-major order. A row
    /// keeps all its unknown columns until they have values, so a column's sum stays what it was at the root until the
    /// column itself is reduced to zero: sorting once finds the same variable at every node.
    ///
    /// # Errors
    /// The budget is used up.
    pub fn enumerate(
        &mut self,
        system: &mut System,
        traversal: Traversal,
        rng: &mut Rng,
        budget: &mut Budget,
        found: &mut Enumeration,
    ) -> Result<(), Exhausted> {
        self.sort_columns(system);
        let mut walk = Walk::new(traversal, rng);
        found.begin(system.cells().len());
        let order = Order {
            columns: &self.order,
            propagated: None,
        };
        let complete = self
            .tree
            .walk(system, order, &mut walk, budget, &mut found.mines)?;
        walk.finish(system, complete, found);
        Ok(())
    }

    /// Finds a random subset of the solutions, `system` and `found` as in [`Dsscsp::enumerate`]. A tree that has fewer of
    /// them than are wanted is seen whole, and `found` is complete. Each edge costs one node of `budget`.
    ///
    /// # Errors
    /// The budget is used up.
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
        let (mut descents, mut left) =
            (FIRST_DESCENTS.min(subset.solutions), subset.max_descents());
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
            // Descents that meet are rare in a large tree.
            if may_be_small && found.solutions - before < descents {
                may_be_small = false;
                if self.walk_whole(system, subset, budget, found)? {
                    return Ok(());
                }
            }
            // No more of them than solutions are wanted, so never too many solutions.
            descents = (subset.solutions - found.solutions).min(left);
        }
        found.count_reduced(system);
        Ok(())
    }

    /// Finds all solutions if there are no more than are wanted; else false, and `found` is as before.
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

    /// The columns of `A` by their sums, the largest first, equal ones in row-major order.
    fn sort_columns(&mut self, system: &System) {
        self.order.clear();
        self.order.extend(0..system.cells().len() as u16);
        self.order.sort_unstable_by_key(|&column| {
            (8 - system.rows_of(usize::from(column)).len(), column)
        });
    }
}
