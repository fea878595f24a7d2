//! The domains of the variables: sparse sets whose sizes are on the trail.
//!
//! The values `0..n` of a variable are stored in one slice, in which the values still in the domain
//! come first. Removing a value swaps it to the end of that part, which becomes shorter.
//! Backtracking restores the size. The values removed since a size was recorded lie between the
//! current size and the recorded one (le Clément de Saint-Marcq et al., "Sparse-sets for domain
//! implementation", 2013).

use super::{network::ConstraintNetwork, trail::Trail};

#[derive(Clone, Debug, Default)]
pub(super) struct Domains {
    first: Vec<u32>,
    dense: Vec<u32>,
    position: Vec<u32>,
}

impl Domains {
    /// Copies the domains of `network`. The size of variable `x` becomes cell `x` of the trail,
    /// which must be empty.
    pub fn new(network: &ConstraintNetwork, trail: &mut Trail) -> Self {
        let mut domains = Self::default();
        for x in 0..network.variables() {
            let start = domains.dense.len();
            domains
                .first
                .push(u32::try_from(start).expect("a network holds fewer than 2^32 values"));
            let alive = network.alive(x);
            let values = 0..alive.len() as u32;
            domains
                .dense
                .extend(values.clone().filter(|&v| alive[v as usize]));
            let size = domains.dense.len() - start;
            domains.dense.extend(values.filter(|&v| !alive[v as usize]));
            domains.position.resize(domains.dense.len(), 0);
            for (place, &v) in domains.dense[start..].iter().enumerate() {
                domains.position[start + v as usize] = place as u32;
            }
            trail.allocate(1, size as u64);
        }
        domains
    }

    pub fn variables(&self) -> u32 {
        self.first.len() as u32
    }

    pub fn size(&self, trail: &Trail, x: u32) -> u32 {
        trail.get(x) as u32
    }

    pub fn is_fixed(&self, trail: &Trail, x: u32) -> bool {
        trail.get(x) == 1
    }

    /// Returns the values that `x` had when its size was `to`, from index `from` on. The current
    /// values have the indices `0..size`.
    pub fn slice(&self, x: u32, from: u32, to: u32) -> &[u32] {
        let start = self.first[x as usize];
        &self.dense[(start + from) as usize..(start + to) as usize]
    }

    pub fn values(&self, trail: &Trail, x: u32) -> &[u32] {
        self.slice(x, 0, self.size(trail, x))
    }

    pub fn contains(&self, trail: &Trail, x: u32, value: u32) -> bool {
        self.position[(self.first[x as usize] + value) as usize] < self.size(trail, x)
    }

    /// Returns the value of a fixed variable.
    pub fn value(&self, x: u32) -> u32 {
        self.dense[self.first[x as usize] as usize]
    }

    /// Removes `value` from a domain that contains it.
    pub fn remove(&mut self, trail: &mut Trail, x: u32, value: u32) {
        let last = self.size(trail, x) - 1;
        self.swap(x, value, last);
        trail.set(x, u64::from(last));
    }

    /// Reduces the domain to `value`, which it must contain.
    pub fn assign(&mut self, trail: &mut Trail, x: u32, value: u32) {
        self.swap(x, value, 0);
        trail.set(x, 1);
    }

    fn swap(&mut self, x: u32, value: u32, place: u32) {
        let first = self.first[x as usize];
        let from = self.position[(first + value) as usize];
        let other = self.dense[(first + place) as usize];
        self.dense[(first + place) as usize] = value;
        self.dense[(first + from) as usize] = other;
        self.position[(first + value) as usize] = place;
        self.position[(first + other) as usize] = from;
    }
}
