//! What is done to a network once, before its states are solved (English paper, section 4.1).

use super::error::NetworkError;
use super::network::Network;
use super::parts::Parts;
use super::propagation::Propagation;
use super::singleton::{arc_consistency, singleton_arc_consistency};

/// How far the domains of the decision part are filtered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filtering {
    Arc,
    SingletonArc,
}

/// The size of a network, for tables like table 2 of the English paper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    pub variables: usize,
    /// The most values that one variable has.
    pub largest_domain: usize,
    /// The values of all variables.
    pub values: usize,
    /// Hard constraints, and the tuples that they allow.
    pub constraints: usize,
    pub tuples: usize,
}

impl Figures {
    /// Counts what a network holds.
    pub fn of(network: &Network) -> Self {
        let sizes = || (0..network.variables()).map(|x| network.alive(x).iter().filter(|&&alive| alive).count());
        Self {
            variables: network.variables() as usize,
            largest_domain: sizes().max().unwrap_or(0),
            values: sizes().sum(),
            constraints: network.constraints(),
            tuples: (0..network.constraints()).map(|c| network.tuples(c).len() / network.scope(c).len()).sum(),
        }
    }
}

/// A hard constraint on its own: variables rising, tuples sorted, each once.
struct Relation {
    scope: Vec<u32>,
    tuples: Vec<Vec<u32>>,
}

impl Network {
    /// Rewrites the hard constraints into fewer and smaller ones with the same solutions: constraints with one scope
    /// are merged, unary constraints become domains, universal variables leave their constraints, and the domains are
    /// filtered by arc consistency or singleton arc consistency of the decision part. Variables and values keep their
    /// numbers. A network without solutions is left with an empty relation.
    pub fn preprocess(&mut self, filtering: Filtering) -> Result<(), NetworkError> {
        loop {
            let values = Figures::of(self).values;
            self.simplify();
            self.filter(filtering);
            if Figures::of(self).values == values {
                return Ok(());
            }
        }
    }

    fn simplify(&mut self) {
        let mut relations: Vec<Relation> = (0..self.constraints())
            .map(|c| sorted(self.scope(c), self.tuples(c).chunks_exact(self.scope(c).len())))
            .collect();
        loop {
            let values = Figures::of(self).values;
            let scopes: usize = relations.iter().map(|relation| relation.scope.len()).sum();
            for relation in &mut relations {
                drop_dead_tuples(self, relation);
                drop_universal_variables(self, relation);
            }
            relations = merge(relations);
            relations.retain(|relation| !becomes_domain(self, relation));
            let left: usize = relations.iter().map(|relation| relation.scope.len()).sum();
            if left == scopes && Figures::of(self).values == values {
                break;
            }
        }
        self.clear_constraints();
        for relation in &relations {
            self.push_relation(&relation.scope, &relation.tuples.concat());
        }
    }

    fn filter(&mut self, filtering: Filtering) {
        let mut parts = Parts::default();
        parts.rebuild(self);
        let mut state = Propagation::new();
        state.rebuild(self, &parts);
        let consistent = match filtering {
            Filtering::Arc => arc_consistency(&mut state, [true, false]),
            Filtering::SingletonArc => singleton_arc_consistency(&mut state, &parts.early),
        };
        if !consistent {
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

fn sorted<'a>(scope: &[u32], tuples: impl Iterator<Item = &'a [u32]>) -> Relation {
    let mut order: Vec<usize> = (0..scope.len()).collect();
    order.sort_by_key(|&place| scope[place]);
    let mut tuples: Vec<Vec<u32>> = tuples.map(|tuple| order.iter().map(|&place| tuple[place]).collect()).collect();
    tuples.sort_unstable();
    tuples.dedup();
    Relation { scope: order.iter().map(|&place| scope[place]).collect(), tuples }
}

fn drop_dead_tuples(network: &Network, relation: &mut Relation) {
    let scope = &relation.scope;
    relation.tuples.retain(|tuple| scope.iter().zip(tuple).all(|(&x, &value)| network.alive(x)[value as usize]));
}

/// A variable is universal in a constraint if each of its values goes with each tuple of the others: if there are as
/// many tuples as values times tuples of the others.
fn drop_universal_variables(network: &Network, relation: &mut Relation) {
    let mut place = 0;
    while place < relation.scope.len() && !relation.tuples.is_empty() {
        let size = network.alive(relation.scope[place]).iter().filter(|&&alive| alive).count();
        if relation.tuples.len().is_multiple_of(size) {
            let mut others: Vec<Vec<u32>> = relation.tuples.clone();
            for tuple in &mut others {
                tuple.remove(place);
            }
            others.sort_unstable();
            others.dedup();
            if others.len() * size == relation.tuples.len() {
                relation.scope.remove(place);
                relation.tuples = others;
                continue;
            }
        }
        place += 1;
    }
}

/// Intersects relations with the same scope; the order of the first of each scope is kept.
fn merge(relations: Vec<Relation>) -> Vec<Relation> {
    let mut merged: Vec<Relation> = Vec::with_capacity(relations.len());
    let mut places = std::collections::HashMap::new();
    for relation in relations {
        match places.get(&relation.scope) {
            None => {
                places.insert(relation.scope.clone(), merged.len());
                merged.push(relation);
            }
            Some(&place) => {
                let kept: &mut Relation = &mut merged[place];
                kept.tuples.retain(|tuple| relation.tuples.binary_search(tuple).is_ok());
            }
        }
    }
    merged
}

/// Whether the relation is no longer needed: it allows everything, or it was unary and now is the domain. An empty
/// relation stays, so that the network says that it has no solution.
fn becomes_domain(network: &mut Network, relation: &Relation) -> bool {
    match relation.scope[..] {
        _ if relation.tuples.is_empty() => false,
        [] => true,
        [x] => {
            for value in 0..network.size(x) as u32 {
                if relation.tuples.binary_search(&vec![value]).is_err() {
                    network.kill(x, value);
                }
            }
            true
        }
        _ => false,
    }
}
