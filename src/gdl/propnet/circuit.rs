//! A circuit of two-input AND gates whose wires may be inverted. Equal gates are shared, and
//! constants are folded.

use std::{collections::HashMap, ops::Not};

/// The output of a node, possibly inverted. Node 0 is the constant false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct Wire(pub(super) u32);

impl Wire {
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);

    pub const fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub const fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    pub const fn of(node: usize) -> Self {
        Self((node as u32) << 1)
    }
}

impl Not for Wire {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum CircuitNode {
    Input,
    And(Wire, Wire),
}

/// A circuit, with its nodes in topological order.
pub(super) struct Circuit {
    pub nodes: Vec<CircuitNode>,
    built: HashMap<(Wire, Wire), Wire>,
}

impl Circuit {
    pub fn new() -> Self {
        Self {
            nodes: vec![CircuitNode::Input],
            built: HashMap::new(),
        }
    }

    pub fn input(&mut self) -> Wire {
        self.nodes.push(CircuitNode::Input);
        Wire::of(self.nodes.len() - 1)
    }

    pub fn and(&mut self, one: Wire, other: Wire) -> Wire {
        let (low, high) = if one < other {
            (one, other)
        } else {
            (other, one)
        };
        if low == Wire::FALSE || low == !high {
            return Wire::FALSE;
        }
        if low == Wire::TRUE || low == high {
            return high;
        }
        *self.built.entry((low, high)).or_insert_with(|| {
            self.nodes.push(CircuitNode::And(low, high));
            Wire::of(self.nodes.len() - 1)
        })
    }

    /// Returns the AND of several wires, built as a balanced tree.
    pub fn all(&mut self, wires: &[Wire]) -> Wire {
        match wires {
            [] => Wire::TRUE,
            [one] => *one,
            _ => {
                let (left, right) = wires.split_at(wires.len() / 2);
                let left = self.all(left);
                let right = self.all(right);
                self.and(left, right)
            }
        }
    }

    /// Returns the OR of several wires.
    pub fn any(&mut self, mut wires: Vec<Wire>) -> Wire {
        wires.iter_mut().for_each(|wire| *wire = !*wire);
        wires.sort_unstable();
        wires.dedup();
        !self.all(&wires)
    }

    /// Returns the OR of ANDs. Common factors of the products are extracted, starting with the most
    /// frequent one.
    pub fn sum_of_products(&mut self, mut products: Vec<Vec<Wire>>) -> Wire {
        const MOST_TO_FACTOR: usize = 4096;
        products.iter_mut().for_each(|product| {
            product.retain(|&wire| wire != Wire::TRUE);
            product.sort_unstable();
            product.dedup();
        });
        products.retain(|product| {
            !product.contains(&Wire::FALSE) && !product.windows(2).any(|pair| pair[0] == !pair[1])
        });
        products.sort_unstable();
        products.dedup();
        if products.iter().any(Vec::is_empty) {
            return Wire::TRUE;
        }
        let mut sum = Vec::new();
        while products.len() > 1 && products.len() <= MOST_TO_FACTOR {
            let Some(factor) = most_frequent(&products) else {
                break;
            };
            let (with, without): (Vec<_>, Vec<_>) = products
                .into_iter()
                .partition(|product| product.contains(&factor));
            let rest = with
                .into_iter()
                .map(|product| product.into_iter().filter(|&wire| wire != factor).collect());
            let rest = self.sum_of_products(rest.collect());
            sum.push(self.and(factor, rest));
            products = without;
        }
        for product in products {
            sum.push(self.all(&product));
        }
        self.any(sum)
    }
}

/// Returns the wire that occurs in the most products, if it occurs in at least two.
fn most_frequent(products: &[Vec<Wire>]) -> Option<Wire> {
    let mut wires: Vec<Wire> = products.iter().flatten().copied().collect();
    wires.sort_unstable();
    let runs = wires
        .chunk_by(|one, other| one == other)
        .filter(|run| run.len() > 1);
    runs.max_by(|one, other| one.len().cmp(&other.len()).then(other[0].cmp(&one[0])))
        .map(|run| run[0])
}
