//! Simple table constraints, as a reference for the fast ones.

use mineflow_search::scsp::{ConstraintNetwork, Variable, VariableKind};

/// Variables with the domains `0..size`, and relations as lists of tuples.
pub struct Csp {
    pub sizes: Vec<u32>,
    pub relations: Vec<(Vec<usize>, Vec<Vec<u32>>)>,
}

impl Csp {
    pub fn full(&self) -> Vec<Vec<u32>> {
        self.sizes.iter().map(|&size| (0..size).collect()).collect()
    }

    /// Returns all assignments that every relation allows, in sorted order.
    pub fn solutions(&self) -> Vec<Vec<u32>> {
        let mut values = vec![vec![]];
        for &size in &self.sizes {
            let longer =
                |tuple: &Vec<u32>, v| tuple.iter().copied().chain([v]).collect::<Vec<u32>>();
            values = values
                .iter()
                .flat_map(|tuple| (0..size).map(move |v| longer(tuple, v)))
                .collect();
        }
        for (scope, tuples) in &self.relations {
            let allowed: std::collections::BTreeSet<&Vec<u32>> = tuples.iter().collect();
            values.retain(|values| {
                allowed.contains(&scope.iter().map(|&x| values[x]).collect::<Vec<u32>>())
            });
        }
        values
    }

    pub fn network(&self) -> ConstraintNetwork {
        let mut network = ConstraintNetwork::default();
        let variables: Vec<Variable> = self
            .sizes
            .iter()
            .map(|&size| network.variable(VariableKind::Decision, size))
            .collect();
        for (scope, tuples) in &self.relations {
            let scope: Vec<Variable> = scope.iter().map(|&x| variables[x]).collect();
            network.allow(&scope, &tuples.concat()).unwrap();
        }
        network
    }
}

/// Returns the largest arc-consistent domains, or `None` if a domain is empty. Removes values
/// without support until nothing changes.
pub fn arc_consistent(csp: &Csp, mut domains: Vec<Vec<u32>>) -> Option<Vec<Vec<u32>>> {
    loop {
        let mut changed = false;
        for (scope, tuples) in &csp.relations {
            let valid = |tuple: &&Vec<u32>| {
                scope
                    .iter()
                    .zip(*tuple)
                    .all(|(&x, value)| domains[x].contains(value))
            };
            let valid: Vec<&Vec<u32>> = tuples.iter().filter(valid).collect();
            for (place, &x) in scope.iter().enumerate() {
                let before = domains[x].len();
                domains[x].retain(|&value| valid.iter().any(|tuple| tuple[place] == value));
                changed |= domains[x].len() != before;
            }
        }
        if domains.iter().any(Vec::is_empty) {
            return None;
        }
        if !changed {
            return Some(domains);
        }
    }
}

/// Returns the largest singleton-arc-consistent domains, or `None` if a domain is empty.
pub fn singleton_arc_consistent(csp: &Csp, domains: Vec<Vec<u32>>) -> Option<Vec<Vec<u32>>> {
    let mut domains = arc_consistent(csp, domains)?;
    'again: loop {
        for x in 0..domains.len() {
            for place in 0..domains[x].len() {
                let mut assigned = domains.clone();
                assigned[x] = vec![domains[x][place]];
                if arc_consistent(csp, assigned).is_none() {
                    domains[x].remove(place);
                    domains = arc_consistent(csp, domains)?;
                    continue 'again;
                }
            }
        }
        return Some(domains);
    }
}
