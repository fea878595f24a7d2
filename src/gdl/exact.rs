//! Exact values of games with few states, and the luck of chance that follows from them.

use rustc_hash::FxHashMap;

use super::{
    engine::GameEngine,
    player::{add_scaled, combine},
    state::GameState,
};

/// Values that change by less in a round are final.
const NO_CHANGE: f64 = 1e-12;
/// The maximum number of rounds over all states.
const MOST_ROUNDS: usize = 10_000;

/// The rewards that each role can expect in each state of a game, 0 to 1. A role that alone has a
/// choice takes what is best for itself; roles that choose simultaneously are averaged over, as in
/// the cache of explored leaves. Play that never ends is worth 0.
pub struct ExactValues {
    roles: usize,
    chance: Option<usize>,
    numbers: FxHashMap<GameState, usize>,
    /// The rewards of all roles in each state.
    values: Vec<f64>,
}

/// The joint moves of a state: the number of actions of each role, and the number of each next
/// state. The action of the first role changes slowest. A terminal state has none.
#[derive(Default)]
struct Moves {
    counts: Vec<usize>,
    next: Vec<usize>,
}

impl ExactValues {
    /// Computes the values of all states that the game of `engine` can reach, or returns `None` if
    /// there are more than `most`.
    pub fn new(engine: &mut dyn GameEngine, chance: Option<usize>, most: usize) -> Option<Self> {
        let mut exact = Self {
            roles: engine.roles(),
            chance,
            numbers: FxHashMap::default(),
            values: Vec::new(),
        };
        let mut states = vec![engine.initial()];
        exact.numbers.insert(states[0].clone(), 0);
        let mut moves = Vec::new();
        while let Some(state) = states.get(moves.len()).cloned() {
            moves.push(exact.moves(engine, &state, &mut states));
            if states.len() > most {
                return None;
            }
        }
        (0..MOST_ROUNDS).find(|_| exact.round(&moves) < NO_CHANGE);
        Some(exact)
    }

    /// Appends the values of a state, which are exact if the state is terminal, and returns its
    /// joint moves. States found for the first time are appended to `states`.
    fn moves(
        &mut self,
        engine: &mut dyn GameEngine,
        state: &GameState,
        states: &mut Vec<GameState>,
    ) -> Moves {
        let roles = 0..self.roles;
        engine.look_at(state);
        if engine.is_terminal() {
            let goal = |role| f64::from(engine.goals(role).first().copied().unwrap_or(0)) / 100.0;
            self.values.extend(roles.map(goal));
            return Moves::default();
        }
        self.values.extend(roles.clone().map(|_| 0.0));
        let mut joints = vec![Vec::new()];
        let mut counts = Vec::new();
        let mut legal = Vec::new();
        for role in roles {
            engine.legal(role, &mut legal);
            counts.push(legal.len());
            let longer = |joint: &Vec<usize>| -> Vec<Vec<usize>> {
                let with = |&action| [joint, &[action][..]].concat();
                legal.iter().map(with).collect()
            };
            joints = joints.iter().flat_map(longer).collect();
        }
        let number = |joint: Vec<usize>| {
            engine.look_at(state);
            engine.step(&joint);
            let next = engine.state();
            *self.numbers.entry(next.clone()).or_insert_with(|| {
                states.push(next);
                states.len() - 1
            })
        };
        let next = joints.into_iter().map(number).collect();
        Moves { counts, next }
    }

    /// Updates each value from those of the next states, last found states first. Returns the
    /// largest change.
    fn round(&mut self, moves: &[Moves]) -> f64 {
        let mut change = 0.0_f64;
        for (number, of) in moves.iter().enumerate().rev() {
            if of.next.is_empty() {
                continue;
            }
            let next: Vec<&[f64]> = of.next.iter().map(|&next| self.at(next)).collect();
            let (value, _) = combine(&of.counts, self.chance, &next);
            let own = &mut self.values[number * self.roles..][..self.roles];
            for (own, new) in own.iter_mut().zip(value) {
                change = change.max((*own - new).abs());
                *own = new;
            }
        }
        change
    }

    fn at(&self, number: usize) -> &[f64] {
        &self.values[number * self.roles..][..self.roles]
    }

    /// Returns the number of states.
    pub fn states(&self) -> usize {
        self.numbers.len()
    }

    /// Returns the expected rewards of all roles in a state that the game can reach.
    pub fn value(&self, state: &GameState) -> &[f64] {
        self.at(self.numbers[state])
    }

    /// Returns by how much the value of each role in a state exceeds the mean over all roles but
    /// chance: at the start, the luck of being seated as this role. If all take every seat equally
    /// often, this luck has mean zero.
    pub fn advantage(&self, state: &GameState) -> Vec<f64> {
        let value = self.value(state);
        let roles: Vec<usize> = (0..self.roles)
            .filter(|&role| Some(role) != self.chance)
            .collect();
        let mean = roles.iter().map(|&role| value[role]).sum::<f64>() / roles.len() as f64;
        value.iter().map(|value| value - mean).collect()
    }

    /// Returns the luck of each role in the step from `before` to `after`: the value of `after`
    /// less its expectation over the actions of chance, with the actions of all other roles in
    /// `joint`. The expectation of the luck is 0, however the roles play.
    pub fn luck(
        &self,
        engine: &mut dyn GameEngine,
        before: &GameState,
        joint: &[usize],
        after: &GameState,
    ) -> Vec<f64> {
        let Some(chance) = self.chance else {
            return vec![0.0; self.roles];
        };
        let mut luck = self.value(after).to_vec();
        let mut joint = joint.to_vec();
        let mut actions = Vec::new();
        engine.look_at(before);
        engine.legal(chance, &mut actions);
        for &action in &actions {
            joint[chance] = action;
            engine.look_at(before);
            engine.step(&joint);
            let next = self.value(&engine.state());
            add_scaled(&mut luck, -1.0 / actions.len() as f64, next);
        }
        luck
    }
}
