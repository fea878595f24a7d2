//! Preprocessing of a network, done once before its states are solved (Koriche et al. (MAC-UCB),
//! section 4.1).

use std::{cmp::Ordering, collections::HashMap};

use super::{
    network::ConstraintNetwork, parts::Partition, propagation::Propagation,
    singleton::singleton_arc_consistency,
};

/// The size of a network, as in table 2 of Koriche et al. (MAC-UCB).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NetworkSize {
    pub variables: usize,
    /// The largest number of values of any variable.
    pub largest_domain: usize,
    /// The total number of values of all variables.
    pub values: usize,
    /// The number of hard constraints.
    pub constraints: usize,
    /// The number of tuples that the hard constraints allow.
    pub tuples: usize,
}

impl NetworkSize {
    /// Measures a network.
    pub fn of(network: &ConstraintNetwork) -> Self {
        let sizes = || (0..network.variables()).map(|x| network.domain_size(x));
        Self {
            variables: network.variables() as usize,
            largest_domain: sizes().max().unwrap_or(0),
            values: sizes().sum(),
            constraints: network.constraints(),
            tuples: (0..network.constraints())
                .map(|c| network.tuples(c).len() / network.scope(c).len())
                .sum(),
        }
    }
}

/// A hard constraint as a relation. The variables are in ascending order; the tuples are
/// concatenated, sorted and without duplicates.
struct Relation {
    scope: Vec<u32>,
    tuples: Vec<u32>,
    /// The domain sizes of the scope at the last simplification; empty if the relation has changed
    /// since.
    simplified_at: Vec<usize>,
}

impl Relation {
    fn new(scope: Vec<u32>, tuples: &[u32]) -> Self {
        let mut order: Vec<usize> = (0..scope.len()).collect();
        order.sort_by_key(|&place| scope[place]);
        let permuted = tuples
            .chunks_exact(scope.len())
            .flat_map(|tuple| order.iter().map(|&place| tuple[place]));
        let mut relation = Self {
            tuples: permuted.collect(),
            scope: order.iter().map(|&place| scope[place]).collect(),
            simplified_at: Vec::new(),
        };
        relation.sort();
        relation
    }

    fn len(&self) -> usize {
        self.tuples.len() / self.scope.len().max(1)
    }

    fn sort(&mut self) {
        let mut tuples: Vec<&[u32]> = self.tuples.chunks_exact(self.scope.len()).collect();
        tuples.sort_unstable();
        tuples.dedup();
        self.tuples = tuples.concat();
    }

    fn contains(&self, tuple: &[u32]) -> bool {
        let arity = self.scope.len();
        let place = |index: usize| &self.tuples[index * arity..(index + 1) * arity];
        let mut low = 0;
        let mut high = self.len();
        while low < high {
            let middle = low.midpoint(high);
            match place(middle).cmp(tuple) {
                Ordering::Less => low = middle + 1,
                Ordering::Equal => return true,
                Ordering::Greater => high = middle,
            }
        }
        false
    }

    fn retain(&mut self, keep: impl Fn(&[u32]) -> bool) {
        let kept = self
            .tuples
            .chunks_exact(self.scope.len())
            .filter(|tuple| keep(tuple))
            .flatten()
            .copied();
        self.tuples = kept.collect();
    }

    /// Returns the projection of the relation onto all variables except the one at `place`.
    fn without(&self, place: usize) -> Self {
        let mut scope = self.scope.clone();
        scope.remove(place);
        let others = self
            .tuples
            .iter()
            .enumerate()
            .filter(|(at, _)| at % self.scope.len() != place);
        let mut relation = Self {
            tuples: others.map(|(_, &v)| v).collect(),
            scope,
            simplified_at: Vec::new(),
        };
        relation.sort();
        relation
    }

    /// Returns the number of distinct hashes of the tuples without the variable at `place`. Hash
    /// collisions can only make it smaller than the number of distinct tuples.
    fn others_at_most(&self, place: usize) -> usize {
        let hash = |tuple: &[u32]| {
            let others = tuple.iter().enumerate().filter(|&(at, _)| at != place);
            others.fold(0_u64, |hash, (_, &value)| {
                (hash ^ u64::from(value))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    .rotate_left(29)
            })
        };
        let mut hashes: Vec<u64> = self
            .tuples
            .chunks_exact(self.scope.len())
            .map(hash)
            .collect();
        hashes.sort_unstable();
        hashes.dedup();
        hashes.len()
    }
}

impl ConstraintNetwork {
    /// Rewrites the hard constraints into fewer and smaller ones with the same solutions.
    /// Constraints with equal scopes are merged, unary constraints become domains, and universal
    /// variables are dropped from their constraints. The domains are filtered by singleton arc
    /// consistency of the decision part. Variables and values keep their numbers. A network without
    /// solutions ends with an empty relation.
    pub fn preprocess(&mut self) {
        loop {
            let values = NetworkSize::of(self).values;
            self.simplify();
            self.filter();
            if NetworkSize::of(self).values == values {
                return;
            }
        }
    }

    fn simplify(&mut self) {
        let mut relations: Vec<Relation> = (0..self.constraints())
            .map(|c| Relation::new(self.scope(c).to_vec(), self.tuples(c)))
            .collect();
        loop {
            let values = NetworkSize::of(self).values;
            let scopes: usize = relations.iter().map(|relation| relation.scope.len()).sum();
            for relation in &mut relations {
                simplify(self, relation);
            }
            relations = merge(relations);
            relations.retain(|relation| !becomes_domain(self, relation));
            let left: usize = relations.iter().map(|relation| relation.scope.len()).sum();
            if left == scopes && NetworkSize::of(self).values == values {
                break;
            }
        }
        self.clear_constraints();
        for relation in &relations {
            self.push_relation(&relation.scope, &relation.tuples);
        }
    }

    fn filter(&mut self) {
        let parts = Partition::new(self);
        let mut state = Propagation::new(self, &parts);
        if !singleton_arc_consistency(&mut state, &parts.early) {
            self.clear_constraints();
            self.push_relation(&[parts.early.first().copied().unwrap_or(0)], &[]);
            return;
        }
        for &x in &parts.early {
            for value in 0..self.size(x) as u32 {
                if !state.contains(x, value) {
                    self.kill(x, value);
                }
            }
        }
    }
}

/// Drops the tuples that use removed values, then the universal variables.
fn simplify(network: &ConstraintNetwork, relation: &mut Relation) {
    let sizes = |scope: &[u32]| {
        scope
            .iter()
            .map(|&x| network.domain_size(x))
            .collect::<Vec<_>>()
    };
    if relation.simplified_at == sizes(&relation.scope) {
        return;
    }
    let scope = relation.scope.clone();
    relation.retain(|tuple| {
        scope
            .iter()
            .zip(tuple)
            .all(|(&x, &value)| network.alive(x)[value as usize])
    });
    drop_universal_variables(network, relation);
    relation.simplified_at = sizes(&relation.scope);
}

/// Drops universal variables. A variable is universal in a constraint if each of its values occurs
/// with each tuple of the scope's other variables, that is, if the number of tuples is the number
/// of values times the number of tuples of the other variables.
fn drop_universal_variables(network: &ConstraintNetwork, relation: &mut Relation) {
    let mut place = 0;
    while place < relation.scope.len() && relation.scope.len() > 1 && !relation.tuples.is_empty() {
        let size = network.domain_size(relation.scope[place]);
        if relation.len().is_multiple_of(size)
            && relation.others_at_most(place) * size <= relation.len()
        {
            let others = relation.without(place);
            if others.len() * size == relation.len() {
                *relation = others;
                continue;
            }
        }
        place += 1;
    }
}

/// Intersects relations with equal scopes. The results are in the order of the first relation of
/// each scope.
fn merge(relations: Vec<Relation>) -> Vec<Relation> {
    let mut merged: Vec<Relation> = Vec::with_capacity(relations.len());
    let mut places = HashMap::new();
    for relation in relations {
        match places.get(&relation.scope) {
            None => {
                places.insert(relation.scope.clone(), merged.len());
                merged.push(relation);
            }
            Some(&place) => {
                let kept: &mut Relation = &mut merged[place];
                kept.retain(|tuple| relation.contains(tuple));
                kept.simplified_at.clear();
            }
        }
    }
    merged
}

/// Turns a unary relation into a domain, and returns whether it did. An empty relation is kept, so
/// that the network is known to have no solution.
fn becomes_domain(network: &mut ConstraintNetwork, relation: &Relation) -> bool {
    let [x] = relation.scope[..] else {
        return false;
    };
    if relation.tuples.is_empty() {
        return false;
    }
    for value in 0..network.size(x) as u32 {
        if relation.tuples.binary_search(&value).is_err() {
            network.kill(x, value);
        }
    }
    true
}
