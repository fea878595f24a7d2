//! A walk through a game from a state, with the legal moves, joint moves and playouts along it.

use rand::RngExt;

use super::explored::{Explored, PathStep};
use crate::{
    engine::GameEngine,
    error::SheetError,
    propnet::{Machine, Propnet},
    state::GameState,
};
use mineflow_rng::Rng;

/// An engine, and the path since the state that was last set.
pub struct GameWalk<'n> {
    engine: Box<dyn GameEngine + 'n>,
    roles: usize,
    pub(super) chance: Option<usize>,
    horizon: usize,
    /// Whether the state is terminal, or a role has no legal action in it.
    ended: bool,
    /// The role that has no legal action in a nonterminal state.
    stuck: Option<usize>,
    /// The steps since the state that was last set.
    path: Vec<PathStep>,
    legal: Vec<Vec<usize>>,
    joint: Vec<usize>,
    rewards: Vec<f64>,
    met_explored: u64,
}

impl<'n> GameWalk<'n> {
    /// Creates a walk over the compiled network. Playouts are cut off after `horizon` steps with a
    /// reward of 0 for every role.
    pub fn new(net: &'n Propnet, chance: Option<usize>, horizon: usize) -> Self {
        Self::over(Box::new(Machine::new(net)), chance, horizon)
    }

    /// Creates a walk over any engine. Playouts are cut off after `horizon` steps with a reward of
    /// 0 for every role.
    pub fn over(engine: Box<dyn GameEngine + 'n>, chance: Option<usize>, horizon: usize) -> Self {
        let roles = engine.roles();
        Self {
            engine,
            roles,
            chance,
            horizon,
            ended: false,
            stuck: None,
            path: Vec::new(),
            legal: vec![Vec::new(); roles],
            joint: Vec::new(),
            rewards: Vec::new(),
            met_explored: 0,
        }
    }

    /// Makes `state` the current state and clears the path.
    pub fn look_at(&mut self, state: &GameState) {
        self.engine.look_at(state);
        self.path.clear();
        self.list_moves();
    }

    /// Makes the initial state of the game the current state and clears the path.
    pub fn start(&mut self) {
        let initial = self.engine.initial();
        self.look_at(&initial);
    }

    pub fn state(&self) -> GameState {
        self.engine.state()
    }

    /// Returns whether the walk has ended: the state is terminal, or a role has no legal action.
    pub const fn is_terminal(&self) -> bool {
        self.ended
    }

    /// Returns the role that has no legal action in a nonterminal state, or `None` if there is
    /// none.
    pub const fn stuck(&self) -> Option<usize> {
        self.stuck
    }

    /// Returns the engine's fault, as [`GameEngine::fault`] does.
    pub fn fault(&self) -> Option<SheetError> {
        self.engine.fault()
    }

    pub const fn roles(&self) -> usize {
        self.roles
    }

    /// Returns the number of steps since the state that was last set.
    pub fn steps(&self) -> usize {
        self.path.len()
    }

    /// Returns the joint move of the last step.
    pub fn joint(&self) -> &[usize] {
        &self.joint
    }

    /// Returns the legal actions of a role, in ascending order.
    pub fn legal(&self, role: usize) -> &[usize] {
        &self.legal[role]
    }

    /// Returns the roles, without chance, that have a choice.
    pub fn choosers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.roles).filter(|&role| Some(role) != self.chance && self.legal[role].len() > 1)
    }

    /// Makes `state` the current state. Returns the role's action if it has only one.
    pub(super) fn only_action(&mut self, state: &GameState, role: usize) -> Option<usize> {
        self.look_at(state);
        let [only] = self.legal(role)[..] else {
            return None;
        };
        Some(only)
    }

    /// Makes `state` the current state. If the state is explored and no other role has a choice,
    /// returns the best action of the role.
    pub(super) fn explored_action(
        &mut self,
        state: &GameState,
        role: usize,
        explored: &Explored,
    ) -> Option<usize> {
        self.look_at(state);
        let best = explored
            .best(state)
            .filter(|_| self.choosers().eq([role]))?;
        Some(self.legal(role)[best])
    }

    /// Returns a uniformly random legal action of a role.
    pub(super) fn any_action(&self, role: usize, rng: &mut Rng) -> usize {
        self.legal(role)[any_place(self.legal(role).len(), rng)]
    }

    /// Returns the goals of all roles in the current state, divided by 100. A role without a goal
    /// gets 0.
    pub fn rewards(&mut self) -> &[f64] {
        self.rewards.clear();
        for role in 0..self.roles {
            let goals = if self.stuck.is_some() {
                Vec::new()
            } else {
                self.engine.goals(role)
            };
            let points = goals.first().copied().unwrap_or(0);
            self.rewards.push(f64::from(points) / 100.0);
        }
        &self.rewards
    }

    /// Plays a joint move. Each role for which `fixed` returns `None` takes a random action.
    pub fn step(&mut self, fixed: impl Fn(usize) -> Option<usize>, rng: &mut Rng) {
        let mut step = PathStep {
            state: self.engine.state(),
            counts: Vec::new(),
            taken: Vec::new(),
        };
        self.joint.clear();
        for role in 0..self.roles {
            let legal = &self.legal[role];
            let place = match fixed(role) {
                Some(action) => legal
                    .binary_search(&action)
                    .expect("only legal actions are fixed"),
                None => any_place(legal.len(), rng),
            };
            step.counts.push(legal.len());
            step.taken.push(place);
            self.joint.push(legal[place]);
        }
        self.path.push(step);
        self.engine.step(&self.joint);
        self.list_moves();
    }

    /// Sets the path that led to the current state. [`Self::playout`] counts the steps of the path
    /// and records explored states along it.
    pub(super) fn came_by(&mut self, path: Vec<PathStep>) {
        self.path = path;
    }

    /// Returns the number of playouts that ended in an already explored state.
    pub(super) const fn met_explored(&self) -> u64 {
        self.met_explored
    }

    /// Plays at random until the game ends, the state is explored or the horizon is reached, and
    /// returns the rewards. Records the states that become explored.
    pub fn playout(&mut self, explored: &mut Explored, rng: &mut Rng) -> &[f64] {
        loop {
            let known = if self.is_terminal() {
                self.rewards();
                true
            } else if let Some(value) = explored.value(&self.engine.state()) {
                self.rewards.clear();
                self.rewards.extend_from_slice(value);
                self.met_explored += 1;
                true
            } else {
                false
            };
            if known {
                explored.note(&self.path, &self.rewards);
                return &self.rewards;
            }
            if self.path.len() >= self.horizon {
                self.rewards.clear();
                self.rewards.resize(self.roles, 0.0);
                return &self.rewards;
            }
            self.step(|_| None, rng);
        }
    }

    fn list_moves(&mut self) {
        for (role, legal) in self.legal.iter_mut().enumerate() {
            self.engine.legal(role, legal);
        }
        let terminal = self.engine.is_terminal();
        self.stuck = self
            .legal
            .iter()
            .position(Vec::is_empty)
            .filter(|_| !terminal);
        self.ended = terminal || self.stuck.is_some();
    }
}

/// Returns a uniformly random index below `places`. A random number is drawn even if there is only
/// one index.
fn any_place(places: usize, rng: &mut Rng) -> usize {
    rng.random_range(0..places)
}
