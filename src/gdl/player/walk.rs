//! Playing on from a state: legal moves, joint moves, playouts, one at a time.

use rand::RngExt;

use super::explored::{Explored, PathStep};
use crate::engine::{GameEngine, NetEngine};
use crate::error::SheetError;
use crate::propnet::{PlayoutRows, PlayoutStart, Propnet};
use crate::state::GameState;
use mineflow_rng::Rng;

/// An engine with the way that it has come.
pub struct GameWalk<'n> {
    engine: Box<dyn GameEngine + 'n>,
    roles: usize,
    pub(super) chance: Option<usize>,
    horizon: usize,
    /// Whether the state is terminal, or a role can't move in it.
    ended: bool,
    /// The role that can't move.
    stuck: Option<usize>,
    /// The steps since the state that was looked at.
    path: Vec<PathStep>,
    legal: Vec<Vec<usize>>,
    joint: Vec<usize>,
    rewards: Vec<f64>,
    met_explored: u64,
}

impl<'n> GameWalk<'n> {
    /// A table for playouts of at most `horizon` steps, after which every role gets 0.
    pub fn new(net: &'n Propnet, chance: Option<usize>, horizon: usize) -> Self {
        Self::over(Box::new(NetEngine::new(net)), chance, horizon)
    }

    /// The same over any engine.
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

    /// Starts again from a state.
    pub fn look_at(&mut self, state: &GameState) {
        self.engine.look_at(state);
        self.path.clear();
        self.list_moves();
    }

    /// Starts again from the state in which the game starts.
    pub fn start(&mut self) {
        let initial = self.engine.initial();
        self.look_at(&initial);
    }

    pub fn state(&self) -> GameState {
        self.engine.state()
    }

    /// Whether nobody moves on: the state is terminal, or a role has no legal action.
    pub const fn is_terminal(&self) -> bool {
        self.ended
    }

    /// The role that has no legal action in a state that is not terminal.
    pub const fn stuck(&self) -> Option<usize> {
        self.stuck
    }

    /// As [`GameEngine::fault`].
    pub fn fault(&self) -> Option<SheetError> {
        self.engine.fault()
    }

    pub const fn roles(&self) -> usize {
        self.roles
    }

    /// The steps since the state looked at.
    pub fn steps(&self) -> usize {
        self.path.len()
    }

    /// The legal actions of a role, rising.
    pub fn legal(&self, role: usize) -> &[usize] {
        &self.legal[role]
    }

    /// The legal actions of each role.
    pub(super) fn legal_of_all(&self) -> &[Vec<usize>] {
        &self.legal
    }

    /// The roles besides chance that have a choice.
    pub fn choosers(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.roles).filter(|&role| Some(role) != self.chance && self.legal[role].len() > 1)
    }

    /// Looks at a state, and gives the action of a role that has only one.
    pub(super) fn only_action(&mut self, state: &GameState, role: usize) -> Option<usize> {
        self.look_at(state);
        let [only] = self.legal(role)[..] else {
            return None;
        };
        Some(only)
    }

    /// Looks at a state, and gives the best action of a role that alone has a choice, if the state is explored.
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

    /// A legal action of a role, each with the same chance.
    pub(super) fn any_action(&self, role: usize, rng: &mut Rng) -> usize {
        self.legal(role)[any_place(self.legal(role).len(), rng)]
    }

    /// The goals of all roles by 100.
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

    /// Plays a joint move in which each role for which `fixed` says nothing takes any of its actions.
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

    /// Tells the way to the state that it looks at, by which [`Self::playout`] counts steps and notes what it explores.
    pub(super) fn came_by(&mut self, path: Vec<PathStep>) {
        self.path = path;
    }

    /// How many playouts ended in a state that was explored before they met it.
    pub(super) const fn met_explored(&self) -> u64 {
        self.met_explored
    }

    /// Plays on at random to the end, or to a state that is explored, and gives the rewards; notes what that explores.
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

    /// One random playout from each of `starts`, up to 256 at once where a network plays, in place of what `rows` holds.
    /// Playouts know nothing of explored states and explore none. See [`GameEngine::play_out_all`].
    ///
    /// The walk looks at any state afterwards: [`Self::look_at`] the next one.
    pub fn play_out_all(
        &mut self,
        starts: &[PlayoutStart<'_>],
        rng: &mut Rng,
        rows: &mut PlayoutRows,
    ) {
        self.engine.play_out_all(starts, self.horizon, rng, rows);
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

/// One of this many places, each with the same chance. One place takes a random number too.
fn any_place(places: usize, rng: &mut Rng) -> usize {
    rng.random_range(0..places)
}
