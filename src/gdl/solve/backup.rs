//! The values of a state from those of the states that follow it.

use super::Way;

/// Values within this of each other are equal for flat and perfect play.
const TIE: f64 = 1e-9;

/// The first two ways to play: all at random, all at their best.
const RANDOM: usize = 0;
const BEST: usize = 1;

/// Values of states under several ways to play.
pub(super) struct Backup {
    pairings: Vec<Vec<Way>>,
    roles: usize,
    chance: Option<usize>,
    /// Scratch: of each role, the chance of each of its actions.
    chances: Vec<Vec<f64>>,
    weights: Vec<f64>,
    sum: Vec<f64>,
}

/// A state that is not terminal: how many legal actions each role has, and the number of the state after each joint move, the
/// first role's action changing slowest.
#[derive(Debug)]
pub(super) struct Moves {
    pub(super) counts: Box<[u16]>,
    pub(super) next: Box<[u32]>,
}

impl Backup {
    pub(super) fn new(pairings: &[Vec<Way>], roles: usize, chance: Option<usize>) -> Self {
        let chances = vec![Vec::new(); roles];
        Self { pairings: pairings.to_vec(), roles, chance, chances, weights: Vec::new(), sum: vec![0.0; roles] }
    }

    /// Numbers that a state takes in the table: a value of each role for each way to play.
    pub(super) fn len(&self) -> usize {
        self.pairings.len() * self.roles
    }

    /// Values the state `of`; returns by how much any of its values changed. `pairing` is one of those from 0 to
    /// [`Backup::pairings`].
    pub(super) fn value(&mut self, pairing: usize, of: u32, moves: &Moves, table: &mut [f64]) -> f64 {
        let (len, roles) = (self.len(), self.roles);
        let start = |state: u32, pairing: usize| state as usize * len + pairing * roles;
        let counts = &moves.counts;
        let mut best = None;
        let mut several = false;
        for role in 0..roles {
            let count = usize::from(counts[role]);
            let even = 1.0 / count as f64;
            self.chances[role].clear();
            self.chances[role].resize(count, even);
            if count > 1 && self.pairings[pairing][role] == Way::Best {
                several |= best.is_some();
                best = Some(role);
            }
        }
        let choosers = (0..roles).filter(|&role| counts[role] > 1 && Some(role) != self.chance).count();
        for role in (0..roles).filter(|&role| counts[role] > 1) {
            let asked = match self.pairings[pairing][role] {
                Way::Flat => RANDOM,
                // Where several choose at once, nobody knows best.
                Way::Perfect if choosers == 1 => BEST,
                _ => continue,
            };
            let worth = |action| {
                let places = places(counts, role, action);
                places.map(|place| table[start(moves.next[place], asked) + role]).sum::<f64>()
            };
            let worths: Vec<f64> = (0..usize::from(counts[role])).map(worth).collect();
            let most = worths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let joint = moves.next.len() as f64 / worths.len() as f64;
            let is_best = |&worth: &f64| worth >= most - TIE * joint;
            let equals = worths.iter().filter(|worth| is_best(worth)).count() as f64;
            let chance = |worth: &f64| if is_best(worth) { 1.0 / equals } else { 0.0 };
            self.chances[role] = worths.iter().map(chance).collect();
        }
        self.weights.clear();
        self.weights.push(1.0);
        let chooser = best.filter(|_| !several);
        for role in 0..roles {
            let of_role = |action: usize| if Some(role) == chooser { 1.0 } else { self.chances[role][action] };
            let actions = 0..usize::from(counts[role]);
            self.weights = self.weights.iter().flat_map(|w| actions.clone().map(move |a| w * of_role(a))).collect();
        }
        let expected = |places: &mut dyn Iterator<Item = usize>, sum: &mut [f64]| {
            sum.fill(0.0);
            for place in places.filter(|&place| self.weights[place] > 0.0) {
                let from = start(moves.next[place], pairing);
                sum.iter_mut().zip(&table[from..]).for_each(|(sum, value)| *sum += self.weights[place] * value);
            }
        };
        let mut found = vec![0.0; roles];
        match chooser {
            None => expected(&mut (0..moves.next.len()), &mut found),
            Some(role) => {
                let mut highest = f64::NEG_INFINITY;
                for action in 0..usize::from(counts[role]) {
                    expected(&mut places(counts, role, action), &mut self.sum);
                    if self.sum[role] > highest {
                        highest = self.sum[role];
                        found.copy_from_slice(&self.sum);
                    }
                }
            }
        }
        let own = &mut table[start(of, pairing)..][..roles];
        let change = own.iter().zip(&found).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        own.copy_from_slice(&found);
        change
    }

    /// How many ways to play there are.
    pub(super) fn pairings(&self) -> usize {
        self.pairings.len()
    }

    /// The values of a state, a row for each way to play.
    pub(super) fn rows(&self, of: u32, table: &[f64]) -> Vec<Vec<f64>> {
        table[of as usize * self.len()..][..self.len()].chunks(self.roles).map(<[f64]>::to_vec).collect()
    }
}

/// The joint moves in which `role` does its action number `action`.
fn places(counts: &[u16], role: usize, action: usize) -> impl Iterator<Item = usize> {
    let after: usize = counts[role + 1..].iter().map(|&n| usize::from(n)).product();
    let before: usize = counts[..role].iter().map(|&n| usize::from(n)).product();
    let block = usize::from(counts[role]) * after;
    (0..before).flat_map(move |i| (0..after).map(move |j| i * block + action * after + j))
}
