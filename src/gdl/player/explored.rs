//! The cache of explored leaves: states whose whole subtree has been played out, with their exact
//! values.

use rustc_hash::FxHashMap;

use crate::state::GameState;

/// The maximum number of joint moves of a state in the cache. States with more joint moves are
/// never recorded as explored from their successors.
const MOST_JOINT_MOVES: usize = 4096;

/// What is known about the subtree of a state.
#[derive(Clone, Debug)]
enum SolvedState {
    /// The exact rewards of all roles, and the index of the best action if exactly one role has a
    /// choice.
    Value { value: Box<[f64]>, best: usize },
    /// The value of each joint move, where known, and the number of joint moves whose value is
    /// unknown.
    Partly {
        values: Vec<Option<Box<[f64]>>>,
        open: usize,
    },
}

/// A state on the path of a playout, and the moves taken in it.
pub(super) struct PathStep {
    pub state: GameState,
    /// The number of legal actions of each role.
    pub counts: Vec<usize>,
    /// The index of the action that each role took, among its legal actions.
    pub taken: Vec<usize>,
}

/// The exact values of states whose whole subtree was visited (Koriche et al. (MAC-UCB), sections
/// 4.4 and 5.1). Each player has its own cache.
///
/// If exactly one role has a choice, that role is assumed to know the values and to take the action
/// that is best for itself. Over chance and over roles that choose simultaneously, the value is the
/// mean, as in the samples.
#[derive(Clone, Debug)]
pub struct Explored {
    known: FxHashMap<GameState, SolvedState>,
    chance: Option<usize>,
    most: usize,
    /// The size of the cache: the number of joint moves of partly known states, plus one for each
    /// state.
    held: usize,
}

impl Explored {
    /// Creates an empty cache of size at most `most`, as [`Self::held`] counts. Entries that would
    /// exceed this size are dropped.
    pub fn new(chance: Option<usize>, most: usize) -> Self {
        Self {
            known: FxHashMap::default(),
            chance,
            most,
            held: 0,
        }
    }

    /// Returns the size of the cache: the number of joint moves of partly known states, plus one
    /// for each state.
    pub const fn held(&self) -> usize {
        self.held
    }

    /// Returns the rewards of all roles in an explored state, or `None` if the state is not
    /// explored.
    pub fn value(&self, state: &GameState) -> Option<&[f64]> {
        match self.known.get(state)? {
            SolvedState::Value { value, .. } => Some(value),
            SolvedState::Partly { .. } => None,
        }
    }

    /// Returns the index of the best action in an explored state, among the legal actions of the
    /// one role with a choice.
    pub(super) fn best(&self, state: &GameState) -> Option<usize> {
        match self.known.get(state)? {
            SolvedState::Value { best, .. } => Some(*best),
            SolvedState::Partly { .. } => None,
        }
    }

    /// Stores the value of a state and the index of its best action.
    pub(super) fn settle(&mut self, state: &GameState, value: &[f64], best: usize) {
        let value = SolvedState::Value {
            value: value.into(),
            best,
        };
        match self.known.get_mut(state) {
            Some(known) => {
                if let SolvedState::Partly { values, .. } = known {
                    self.held -= values.len();
                    *known = value;
                }
            }
            None if self.held >= self.most => {}
            None => {
                self.held += 1;
                self.known.insert(state.clone(), value);
            }
        }
    }

    /// Records that the last step of `path` led to a state with the exact value `value`, and backs
    /// up the values that thereby become known along the path.
    pub(super) fn note(&mut self, path: &[PathStep], value: &[f64]) {
        let mut value: Box<[f64]> = value.into();
        for step in path.iter().rev() {
            let joint_moves = step
                .counts
                .iter()
                .fold(1_usize, |product, &count| product.saturating_mul(count));
            if joint_moves > MOST_JOINT_MOVES {
                return;
            }
            let place = step
                .counts
                .iter()
                .zip(&step.taken)
                .fold(0, |place, (&count, &taken)| place * count + taken);
            let full = self.held + joint_moves >= self.most;
            let known = match self.known.get_mut(&step.state) {
                Some(known) => known,
                None if full => return,
                None => {
                    self.held += 1 + joint_moves;
                    let partly = SolvedState::Partly {
                        values: vec![None; joint_moves],
                        open: joint_moves,
                    };
                    self.known.entry(step.state.clone()).or_insert(partly)
                }
            };
            let SolvedState::Partly { values, open } = known else {
                return;
            };
            if values[place].is_none() {
                values[place] = Some(value);
                *open -= 1;
            }
            if *open > 0 {
                return;
            }
            let all: Vec<&[f64]> = values
                .iter()
                .map(|v| &**v.as_ref().expect("none is open"))
                .collect();
            let (combined, best) = combine(&step.counts, self.chance, &all);
            self.held -= joint_moves;
            value = combined;
            *known = SolvedState::Value {
                value: value.clone(),
                best,
            };
        }
    }
}

/// Computes the value of a state from the values of its joint moves, and the index of the best
/// action if exactly one role has a choice. Joint moves are ordered such that the first role's
/// action changes slowest.
pub(crate) fn combine(
    counts: &[usize],
    chance: Option<usize>,
    values: &[&[f64]],
) -> (Box<[f64]>, usize) {
    let mut choosers = (0..counts.len()).filter(|&role| counts[role] > 1 && Some(role) != chance);
    let average = |places: &[usize]| -> Box<[f64]> {
        let sum = |role: usize| places.iter().map(|&place| values[place][role]).sum::<f64>();
        (0..counts.len())
            .map(|role| sum(role) / places.len() as f64)
            .collect()
    };
    let all: Vec<usize> = (0..values.len()).collect();
    let (Some(role), None) = (choosers.next(), choosers.next()) else {
        return (average(&all), 0);
    };
    let stride: usize = counts[role + 1..].iter().product();
    let of_action = |action: usize| -> Box<[f64]> {
        let places: Vec<usize> = all
            .iter()
            .copied()
            .filter(|place| place / stride % counts[role] == action)
            .collect();
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
        assert_eq!(
            combine(&[2, 2], Some(1), &values),
            (Box::from([0.5, 0.5]), 0)
        );
        let (value, best) = combine(&[2, 2], Some(0), &values);
        assert_eq!(best, 0);
        assert!((value[0] - 0.1).abs() < 1e-12 && (value[1] - 0.7).abs() < 1e-12);
        let (both, _) = combine(&[2, 2], None, &values);
        assert!((both[0] - 0.4).abs() < 1e-12);
    }
}
