//! Simple backtracking: the pruned search tree that Sinha et al. (2021, section 4.1) compare DSScsp
//! with. Players 1.0 to 2.5 use it.

use super::{
    Budget, Enumeration, Exhausted, System, Traversal,
    enumeration::Walk,
    tree::{DssTree, Order},
};
use mineflow_rng::Rng;

/// Backtracking over the whole system, with its scratch memory. Each level assigns one variable, in
/// row-major order. A value is tried if every row of the variable allows it; nothing is propagated.
#[derive(Clone, Debug, Default)]
pub struct Backtracking {
    tree: DssTree,
    order: Vec<u16>,
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
        self.order.clear();
        self.order.extend(0..system.cells().len() as u16);
        let order = Order {
            columns: &self.order,
            propagated: None,
        };
        let mut walk = Walk::new(traversal, rng);
        self.tree.enumerate(system, order, &mut walk, budget, found)
    }
}
