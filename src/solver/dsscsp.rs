//! DSScsp: enumeration with DSS at every node (main paper, section 4.1, algorithm 3). Players 3.0 and later.

use super::enumeration::Walk;
use super::tree::{Root, Tree};
use super::{Budget, Dss, Enumeration, Exhausted, System, Traversal};
use crate::rng::Rng;

/// Algorithm 3 over the whole system, with its scratch: no components, one stack, nothing allocated per node.
#[derive(Clone, Debug)]
pub struct Dsscsp {
    tree: Tree,
    order: Vec<u16>,
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
        Self { tree: Tree::new(dss), order: Vec::new() }
    }

    /// Walks the tree of `system` as far as `traversal` says; `rng` is used by limited traversals alone. Columns that
    /// have a value keep it. Each edge costs one node of `budget`. `system` is afterwards as before. `found` is what the
    /// walk found; after an error it says nothing.
    ///
    /// The variable of a node is the column of `A` with the largest sum, the first of them in row-major order. A row
    /// keeps all its unknown columns until they have values, so a column's sum stays what it was at the root until the
    /// column itself is reduced to zero: sorting once finds the same variable at every node.
    pub fn enumerate(
        &mut self,
        system: &mut System,
        traversal: Traversal,
        rng: &mut Rng,
        budget: &mut Budget,
        found: &mut Enumeration,
    ) -> Result<(), Exhausted> {
        let columns = system.cells().len();
        self.order.clear();
        self.order.extend(0..columns as u16);
        self.order.sort_unstable_by_key(|&column| (8 - system.rows_of(usize::from(column)).len(), column));
        let mut walk = Walk::new(traversal, rng);
        found.begin(columns);
        let complete = self.tree.walk(system, (&self.order, Root::AsGiven), &mut walk, budget, &mut found.mines)?;
        walk.finish(system, complete, found);
        Ok(())
    }
}
