//! Table constraints done simply, to check and to time the fast ones against.

use mineflow_search::scsp::{ConstraintNetwork, Variable, VariableKind};

/// Variables with the domains `0..size` and relations, as lists of tuples.
pub struct Csp {
    pub sizes: Vec<u32>,
    pub relations: Vec<(Vec<usize>, Vec<Vec<u32>>)>,
}

impl Csp {
    pub fn full(&self) -> Vec<Vec<u32>> {
        self.sizes.iter().map(|&size| (0..size).collect()).collect()
    }

    /// All assignments that every relation allows, sorted.
    pub fn solutions(&self) -> Vec<Vec<u32>> {
        let mut values = vec![vec![]];
        for &size in &self.sizes {
            let longer = |tuple: &Vec<u32>, v| tuple.iter().copied().chain([v]).collect::<Vec<u32>>();
            values = values.iter().flat_map(|tuple| (0..size).map(move |v| longer(tuple, v))).collect();
        }
        for (scope, tuples) in &self.relations {
            let allowed: std::collections::BTreeSet<&Vec<u32>> = tuples.iter().collect();
            values.retain(|values| allowed.contains(&scope.iter().map(|&x| values[x]).collect::<Vec<u32>>()));
        }
        values
    }

    pub fn network(&self) -> ConstraintNetwork {
        let mut network = ConstraintNetwork::new(1);
        let variables: Vec<Variable> =
            self.sizes.iter().map(|&size| network.variable(VariableKind::Decision, size)).collect();
        for (scope, tuples) in &self.relations {
            let scope: Vec<Variable> = scope.iter().map(|&x| variables[x]).collect();
            network.allow(&scope, &tuples.concat()).unwrap();
        }
        network
    }
}

/// The largest arc consistent domains, or none if some are empty: remove what has no support until nothing changes.
pub fn arc_consistent(csp: &Csp, mut domains: Vec<Vec<u32>>) -> Option<Vec<Vec<u32>>> {
    loop {
        let mut changed = false;
        for (scope, tuples) in &csp.relations {
            let valid = |tuple: &&Vec<u32>| scope.iter().zip(*tuple).all(|(&x, value)| domains[x].contains(value));
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

/// The largest singleton arc consistent domains, or none.
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

/// MAC with simple tabular reduction (Ullmann 2007): the tuples of a table that still stand come first, each revision
/// goes through all of them. Variables, values and queue are chosen as the fast search does.
pub struct Str<'a> {
    csp: &'a Csp,
    /// Whether a value is left, and how many are.
    left: Vec<Vec<bool>>,
    sizes: Vec<usize>,
    order: Vec<Vec<u32>>,
    limits: Vec<usize>,
    weights: Vec<u64>,
    incident: Vec<Vec<usize>>,
    queue: std::collections::VecDeque<usize>,
    pub nodes: u64,
}

impl<'a> Str<'a> {
    pub fn new(csp: &'a Csp) -> Self {
        let tables = |x| (0..csp.relations.len()).filter(move |&c| csp.relations[c].0.contains(&x)).collect();
        Self {
            csp,
            left: csp.sizes.iter().map(|&size| vec![true; size as usize]).collect(),
            sizes: csp.sizes.iter().map(|&size| size as usize).collect(),
            order: csp.relations.iter().map(|(_, tuples)| (0..tuples.len() as u32).collect()).collect(),
            limits: csp.relations.iter().map(|(_, tuples)| tuples.len()).collect(),
            weights: vec![1; csp.relations.len()],
            incident: (0..csp.sizes.len()).map(tables).collect(),
            queue: (0..csp.relations.len()).collect(),
            nodes: 0,
        }
    }

    pub fn count(&mut self) -> u64 {
        if !self.propagate() {
            return 0;
        }
        self.weights.fill(1);
        self.explore()
    }

    fn explore(&mut self) -> u64 {
        let mut count = 0;
        while let Some(x) = self.pick() {
            self.nodes += 1;
            let value = self.left[x].iter().position(|&left| left).unwrap();
            let saved = (self.left.clone(), self.sizes.clone(), self.limits.clone());
            self.left[x].fill(false);
            self.left[x][value] = true;
            self.sizes[x] = 1;
            self.enqueue(x, None);
            if self.propagate() {
                count += self.explore();
            }
            (self.left, self.sizes, self.limits) = saved;
            self.left[x][value] = false;
            self.sizes[x] -= 1;
            self.enqueue(x, None);
            if !self.propagate() {
                return count;
            }
        }
        count + 1
    }

    fn pick(&self) -> Option<usize> {
        let open =
            |c: usize, x: usize| self.csp.relations[c].0.iter().any(|&other| other != x && self.sizes[other] > 1);
        let degree =
            |x: usize| 1 + self.incident[x].iter().filter(|&&c| open(c, x)).map(|&c| self.weights[c]).sum::<u64>();
        let mut best: Option<(usize, u64, u64)> = None;
        for x in (0..self.sizes.len()).filter(|&x| self.sizes[x] > 1) {
            let (size, weight) = (self.sizes[x] as u64, degree(x));
            if best.is_none_or(|(_, least, most)| size * most < least * weight) {
                best = Some((x, size, weight));
            }
        }
        best.map(|(x, _, _)| x)
    }

    fn enqueue(&mut self, x: usize, except: Option<usize>) {
        for &c in &self.incident[x] {
            if Some(c) != except && !self.queue.contains(&c) {
                self.queue.push_back(c);
            }
        }
    }

    fn propagate(&mut self) -> bool {
        while let Some(c) = self.queue.pop_front() {
            let (scope, tuples) = &self.csp.relations[c];
            let mut supported: Vec<Vec<bool>> = scope.iter().map(|&x| vec![false; self.left[x].len()]).collect();
            let mut i = 0;
            while i < self.limits[c] {
                let tuple = &tuples[self.order[c][i] as usize];
                if scope.iter().zip(tuple).all(|(&x, &value)| self.left[x][value as usize]) {
                    supported.iter_mut().zip(tuple).for_each(|(supported, &value)| supported[value as usize] = true);
                    i += 1;
                } else {
                    self.limits[c] -= 1;
                    self.order[c].swap(i, self.limits[c]);
                }
            }
            if self.limits[c] == 0 {
                self.weights[c] += 1;
                self.queue.clear();
                return false;
            }
            for (&x, supported) in scope.iter().zip(&supported) {
                let before = self.sizes[x];
                self.left[x].iter_mut().zip(supported).for_each(|(left, supported)| *left &= supported);
                self.sizes[x] = self.left[x].iter().filter(|&&left| left).count();
                if self.sizes[x] != before {
                    self.enqueue(x, Some(c));
                }
            }
        }
        true
    }
}
