//! Combines the components of a position: multiplies their counts pair by pair up to the root, and
//! carries weights back down.

use super::{
    budget::{Budget, Exhausted},
    counting::ByMines,
    number::Real,
};

/// Number of products that cost one node of the budget.
const PRODUCTS_PER_NODE: usize = 64;

/// The counts of a group of components: `values[start..start + len]` for `fewest`, `fewest + 1`,
/// ... mines.
#[derive(Clone, Copy, Debug)]
struct ProductNode {
    fewest: usize,
    start: usize,
    len: usize,
}

impl ProductNode {
    fn range(self) -> std::ops::Range<usize> {
        self.start..self.start + self.len
    }
}

/// A binary tree over the components. Each node's polynomial is the product of its children's; a
/// node without a sibling is copied to the next level. For thousands of components, a chain would
/// store a number of coefficients quadratic in the number of components; the tree stores O(n log
/// n).
#[derive(Clone, Debug, Default)]
pub(super) struct ProductTree<N> {
    /// The nodes level by level, the leaves first.
    nodes: Vec<ProductNode>,
    /// The index of the first node of each level.
    levels: Vec<usize>,
    values: Vec<N>,
    /// The weight of every number of mines of a node, in the same places as `values`.
    weights: Vec<N>,
}

impl<N: Real> ProductTree<N> {
    /// Builds the tree of these components.
    pub fn build<'a>(
        &mut self,
        components: impl Iterator<Item = ByMines<'a, N>>,
        budget: &mut Budget,
    ) -> Result<(), Exhausted>
    where
        N: 'a,
    {
        self.nodes.clear();
        self.levels.clear();
        self.values.clear();
        self.levels.push(0);
        for ByMines { fewest, counts } in components {
            self.nodes.push(ProductNode {
                fewest,
                start: self.values.len(),
                len: counts.len(),
            });
            self.values.extend_from_slice(counts);
        }
        if self.nodes.is_empty() {
            self.nodes.push(ProductNode {
                fewest: 0,
                start: 0,
                len: 1,
            });
            self.values.push(N::one());
        }
        let mut level = 0..self.nodes.len();
        while level.len() > 1 {
            self.levels.push(level.end);
            for left in level.clone().step_by(2) {
                let parent = match left + 1 < level.end {
                    true => self.multiply(self.nodes[left], self.nodes[left + 1], budget)?,
                    false => self.nodes[left],
                };
                self.nodes.push(parent);
            }
            level = level.end..self.nodes.len();
        }
        Ok(())
    }

    fn multiply(
        &mut self,
        left: ProductNode,
        right: ProductNode,
        budget: &mut Budget,
    ) -> Result<ProductNode, Exhausted> {
        spend(left, right, budget)?;
        let start = self.values.len();
        let len = left.len + right.len - 1;
        self.values.resize(start + len, N::default());
        let (factors, product) = self.values.split_at_mut(start);
        for (i, &a) in factors[left.range()].iter().enumerate() {
            for (product, &b) in product[i..].iter_mut().zip(&factors[right.range()]) {
                product.add_product(a, b);
            }
        }
        Ok(ProductNode {
            fewest: left.fewest + right.fewest,
            start,
            len,
        })
    }

    /// Returns the counts of all components together.
    pub fn root(&self) -> ByMines<'_, N> {
        let root = *self.nodes.last().expect("a tree has a root");
        ByMines {
            fewest: root.fewest,
            counts: &self.values[root.range()],
        }
    }

    /// Carries the weights of the root's numbers of mines down to the components. The weight of a
    /// number of mines in one component is the sum over the mines of all other components.
    pub fn weigh(&mut self, weights: &[N], budget: &mut Budget) -> Result<(), Exhausted> {
        self.weights.clear();
        self.weights.resize(self.values.len(), N::default());
        let root = *self.nodes.last().expect("a tree has a root");
        self.weights[root.range()].copy_from_slice(weights);
        for level in (1..self.levels.len()).rev() {
            let children = self.levels[level - 1];
            let parents = self.levels[level];
            for left in (children..parents - 1).step_by(2) {
                let (parent, left, right) = (
                    self.nodes[parents + (left - children) / 2],
                    self.nodes[left],
                    self.nodes[left + 1],
                );
                spend(left, right, budget)?;
                spend(left, right, budget)?;
                let (below, above) = self.weights.split_at_mut(parent.start);
                let above = &above[..parent.len];
                for (child, sibling) in [(left, right), (right, left)] {
                    for (k, weight) in below[child.range()].iter_mut().enumerate() {
                        for (&count, &ahead) in self.values[sibling.range()].iter().zip(&above[k..])
                        {
                            weight.add_product(count, ahead);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the weights of the numbers of mines of one component, one for each of its counts.
    pub fn leaf_weights(&self, component: usize) -> &[N] {
        &self.weights[self.nodes[component].range()]
    }
}

fn spend(left: ProductNode, right: ProductNode, budget: &mut Budget) -> Result<(), Exhausted> {
    budget.spend((left.len * right.len / PRODUCTS_PER_NODE) as u64)
}
