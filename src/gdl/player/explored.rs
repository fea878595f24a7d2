//! The cache of explored leaves: which states have been played out in every way, and what they are worth.

use rustc_hash::FxHashMap;

use crate::state::GameState;

/// A state with more joint moves is never taken for explored.
const MOST_JOINT_MOVES: usize = 4096;

/// What is known below a state.
#[derive(Clone, Debug)]
enum SolvedState {
    /// The rewards of all roles, for certain, and the place of the action that the one role with a choice takes.
    Value { value: Box<[f64]>, best: usize },
    /// Of each joint move, its value once it is known; and how many are not.
    Partly {
        values: Vec<Option<Box<[f64]>>>,
        open: usize,
    },
}

/// The moves of a state on the way of a playout.
#[derive(Clone, Debug)]
pub(super) struct PathStep {
    pub(super) state: GameState,
    /// How many legal actions each role has, and the places of those taken.
    pub(super) counts: Vec<usize>,
    pub(super) taken: Vec<usize>,
}

/// Values of states whose whole sub-tree was seen (English paper, sections 4.4 and 5.1). Each player has its own.
///
/// Where one role has a choice it is taken to know it, and to take what is best for itself; chance and roles that choose
/// at once are averaged over, as the samples do.
#[derive(Clone, Debug)]
pub struct Explored {
    known: FxHashMap<GameState, SolvedState>,
    chance: Option<usize>,
    most: usize,
    /// What is held, in joint moves: those of states known in part, and one for each state.
    held: usize,
}

impl Explored {
    /// What a reward is at most.
    pub(super) const HIGHEST: f64 = 1.0;

    /// An empty cache that holds at most `most` joint moves; what comes later is not kept.
    pub fn new(chance: Option<usize>, most: usize) -> Self {
        Self {
            known: FxHashMap::default(),
            chance,
            most,
            held: 0,
        }
    }

    /// The joint moves held, and one for each state.
    pub const fn held(&self) -> usize {
        self.held
    }

    /// The rewards of all roles in a state whose sub-tree is explored.
    pub fn value(&self, state: &GameState) -> Option<&[f64]> {
        match self.known.get(state)? {
            SolvedState::Value { value, .. } => Some(value),
            SolvedState::Partly { .. } => None,
        }
    }

    /// The place, among the legal actions of the one role with a choice, of its best action in an explored state.
    pub(super) fn best(&self, state: &GameState) -> Option<usize> {
        match self.known.get(state)? {
            SolvedState::Value { best, .. } => Some(*best),
            SolvedState::Partly { .. } => None,
        }
    }

    /// Notes the value of a state, and the place of its best action.
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

    /// Notes that the last step of `path` led to a state worth `value` for certain, and what follows for those before.
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

/// The value of a state from those of its joint moves, the first role's action changing slowest, and the place of the best
/// action where one role has a choice.
fn combine(counts: &[usize], chance: Option<usize>, values: &[&[f64]]) -> (Box<[f64]>, usize) {
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
