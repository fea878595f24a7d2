//! The cache of explored leaves: which states have been played out in every way, and what they are worth.

use std::collections::HashMap;

use crate::gdl::state::GameState;

/// A state with more joint moves is never taken for explored.
const MOST_JOINT_MOVES: usize = 4096;

/// What is known below a state.
#[derive(Clone, Debug)]
enum Known {
    /// The rewards of all roles, for certain, and the place of the action that the one role with a choice takes.
    Value { value: Box<[f64]>, best: usize },
    /// Of each joint move, its value once it is known; and how many are not.
    Partly { values: Vec<Option<Box<[f64]>>>, open: usize },
}

/// The moves of a state on the way of a playout.
#[derive(Clone, Debug)]
pub(super) struct PathStep {
    pub(super) state: GameState,
    /// How many legal actions each role has, and the places of those taken.
    pub(super) counts: Vec<usize>,
    pub(super) taken: Vec<usize>,
}

/// Values of states whose whole sub-tree was seen, shared by the players that are compared (English paper, section 5.1).
///
/// Where one role has a choice it is taken to know it, and to take what is best for itself; chance and roles that choose
/// at once are averaged over, as the samples do.
#[derive(Clone, Debug)]
pub struct Explored {
    known: HashMap<GameState, Known>,
    chance: Option<usize>,
    most_states: usize,
}

impl Explored {
    /// An empty cache for at most `most_states` states; further ones are not kept.
    pub fn new(chance: Option<usize>, most_states: usize) -> Self {
        Self { known: HashMap::new(), chance, most_states }
    }

    /// The rewards of all roles in a state whose sub-tree is explored.
    pub fn value(&self, state: &GameState) -> Option<&[f64]> {
        match self.known.get(state)? {
            Known::Value { value, .. } => Some(value),
            Known::Partly { .. } => None,
        }
    }

    /// The place, among the legal actions of the one role with a choice, of its best action in an explored state.
    pub(super) fn best(&self, state: &GameState) -> Option<usize> {
        match self.known.get(state)? {
            Known::Value { best, .. } => Some(*best),
            Known::Partly { .. } => None,
        }
    }

    /// What the action at `place` of a role's legal actions, `counts` of each role, is worth to it, if that is known for
    /// certain while the state as a whole is not.
    pub(super) fn value_of_action(
        &self,
        state: &GameState,
        counts: &[usize],
        role: usize,
        place: usize,
    ) -> Option<f64> {
        let Known::Partly { values, .. } = self.known.get(state)? else { return None };
        let stride: usize = counts[role + 1..].iter().product();
        let mut sum = (0.0, 0);
        for (_, value) in values.iter().enumerate().filter(|(joint, _)| joint / stride % counts[role] == place) {
            sum = (sum.0 + value.as_ref()?[role], sum.1 + 1);
        }
        Some(sum.0 / f64::from(sum.1))
    }

    /// Notes that the last step of `path` led to a state worth `value` for certain, and what follows for those before.
    pub(super) fn note(&mut self, path: &[PathStep], value: &[f64]) {
        let mut value: Box<[f64]> = value.into();
        for step in path.iter().rev() {
            let joint_moves = step.counts.iter().fold(1_usize, |product, &count| product.saturating_mul(count));
            if joint_moves > MOST_JOINT_MOVES {
                return;
            }
            let place = step.counts.iter().zip(&step.taken).fold(0, |place, (&count, &taken)| place * count + taken);
            let full = self.known.len() >= self.most_states;
            let known = match self.known.get_mut(&step.state) {
                Some(known) => known,
                None if full => return,
                None => {
                    let partly = Known::Partly { values: vec![None; joint_moves], open: joint_moves };
                    self.known.entry(step.state.clone()).or_insert(partly)
                }
            };
            let Known::Partly { values, open } = known else { return };
            if values[place].is_none() {
                values[place] = Some(value);
                *open -= 1;
            }
            if *open > 0 {
                return;
            }
            let all: Vec<&[f64]> = values.iter().map(|v| &**v.as_ref().expect("none is open")).collect();
            let (combined, best) = combine(&step.counts, self.chance, &all);
            value = combined;
            *known = Known::Value { value: value.clone(), best };
        }
    }
}

/// The value of a state from those of its joint moves, the first role's action changing slowest, and the place of the best
/// action where one role has a choice.
fn combine(counts: &[usize], chance: Option<usize>, values: &[&[f64]]) -> (Box<[f64]>, usize) {
    let mut choosers = (0..counts.len()).filter(|&role| counts[role] > 1 && Some(role) != chance);
    let average = |places: &[usize]| -> Box<[f64]> {
        let sum = |role: usize| places.iter().map(|&place| values[place][role]).sum::<f64>();
        (0..counts.len()).map(|role| sum(role) / places.len() as f64).collect()
    };
    let all: Vec<usize> = (0..values.len()).collect();
    let (Some(role), None) = (choosers.next(), choosers.next()) else { return (average(&all), 0) };
    let stride: usize = counts[role + 1..].iter().product();
    let of_action = |action: usize| -> Box<[f64]> {
        let places: Vec<usize> = all.iter().copied().filter(|place| place / stride % counts[role] == action).collect();
        average(&places)
    };
    let mut best = (of_action(0), 0);
    for action in 1..counts[role] {
        let value = of_action(action);
        if value[role] > best.0[role] {
            best = (value, action);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chooser_takes_her_best_and_chance_is_averaged() {
        let values: [&[f64]; 4] = [&[0.0, 1.0], &[1.0, 0.0], &[0.2, 0.4], &[0.4, 0.2]];
        assert_eq!(combine(&[2, 2], Some(1), &values), (Box::from([0.5, 0.5]), 0));
        let (value, best) = combine(&[2, 2], Some(0), &values);
        assert_eq!(best, 0);
        assert!((value[0] - 0.1).abs() < 1e-12 && (value[1] - 0.7).abs() < 1e-12);
        let (both, _) = combine(&[2, 2], None, &values);
        assert!((both[0] - 0.4).abs() < 1e-12);
    }
}
