//! Orchard solved by recursion, without its rule sheet.

use std::collections::HashMap;

/// Computes the win rate in Orchard by recursion over sorted fruits and raven pieces. Each choice
/// of fruits has the value that `pick` selects from the available values; `f64::max` plays
/// optimally.
pub struct Orchard {
    pick: fn(f64, f64) -> f64,
    known: HashMap<([usize; 4], usize), f64>,
}

impl Orchard {
    pub fn new(pick: fn(f64, f64) -> f64) -> Self {
        Self {
            pick,
            known: HashMap::new(),
        }
    }

    pub fn won(&mut self, mut fruits: [usize; 4], pieces: usize) -> f64 {
        if fruits == [0; 4] {
            return 1.0;
        }
        if pieces == 9 {
            return 0.0;
        }
        fruits.sort_unstable();
        if let Some(&value) = self.known.get(&(fruits, pieces)) {
            return value;
        }
        let less = |tree: usize, from: [usize; 4]| {
            let mut left = from;
            left[tree] -= 1;
            left
        };
        let bearing = |fruits: [usize; 4]| (0..4).filter(move |&tree| fruits[tree] > 0);
        // A choice takes two of the remaining fruits, from one tree or from two; if only one fruit
        // is left, the choice takes this one.
        let mut picked: Vec<[usize; 4]> = Vec::new();
        for after in bearing(fruits).map(|one| less(one, fruits)) {
            picked.extend(bearing(after).map(|other| less(other, after)));
            picked.extend((after == [0; 4]).then_some(after));
        }
        let pick = self.pick;
        let picked = picked
            .into_iter()
            .map(|after| self.won(after, pieces))
            .reduce(pick)
            .unwrap();
        let trees: f64 = bearing(fruits)
            .map(|tree| self.won(less(tree, fruits), pieces))
            .sum();
        // A roll of a bare tree has no effect. The roll is repeated, no matter whose turn it is.
        let rolled = 2 + bearing(fruits).count();
        let value = (trees + picked + self.won(fruits, pieces + 1)) / rolled as f64;
        self.known.insert((fruits, pieces), value);
        value
    }
}
