//! The common interface of the engines: the propositional network and the interpreter of the rules.

use rand::RngExt;

use super::error::SheetError;
use super::state::GameState;
use mineflow_rng::Rng;

/// A game engine with one current state. The numbers of roles, actions and states have the same
/// meaning only among engines of the same origin: one [`Propnet`](super::propnet::Propnet) or one
/// [`super::RuleTable`].
pub trait GameEngine {
    /// Returns the number of roles, including `random`.
    fn roles(&self) -> usize;
    /// Returns the initial state of the game.
    fn initial(&self) -> GameState;
    /// Makes `state` the current state.
    fn look_at(&mut self, state: &GameState);
    /// Returns the current state.
    fn state(&self) -> GameState;
    /// Returns whether the current state is terminal.
    fn is_terminal(&mut self) -> bool;
    /// Replaces the contents of `actions` with the legal actions of a role, in ascending order.
    fn legal(&mut self, role: usize, actions: &mut Vec<usize>);
    /// Returns all goals of a role in the current state. In a terminal state of a valid sheet there
    /// is exactly one goal.
    fn goals(&mut self, role: usize) -> Vec<u8>;
    /// Moves to the state that follows when each role takes its action in `joint`.
    fn step(&mut self, joint: &[usize]);
    /// Returns the engine's permanent fault, if there is one. After a fault, all states are
    /// terminal and have no goals.
    fn fault(&self) -> Option<SheetError>;
}

/// How a random playout ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlayedOut {
    /// It reached a terminal state, with these goals of each role.
    Terminal(Vec<Vec<u8>>),
    /// This role has no legal action in a state that is not terminal.
    Stuck(usize),
    /// It was cut off at the horizon.
    CutOff,
}

/// Runs a random playout from `start`, cut off after `horizon` steps. Returns the number of its
/// steps, and how it ended.
pub fn play_out(
    engine: &mut (impl GameEngine + ?Sized),
    start: &GameState,
    horizon: usize,
    rng: &mut Rng,
) -> (usize, PlayedOut) {
    let roles = 0..engine.roles();
    engine.look_at(start);
    let mut legal = Vec::new();
    let mut joint = Vec::with_capacity(roles.len());
    let mut steps = 0;
    loop {
        if engine.is_terminal() {
            let goals = roles.map(|role| engine.goals(role)).collect();
            return (steps, PlayedOut::Terminal(goals));
        }
        joint.clear();
        for role in roles.clone() {
            engine.legal(role, &mut legal);
            if legal.is_empty() {
                return (steps, PlayedOut::Stuck(role));
            }
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        if steps == horizon {
            return (steps, PlayedOut::CutOff);
        }
        engine.step(&joint);
        steps += 1;
    }
}
