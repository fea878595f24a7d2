//! The common interface of the engines: the propositional network and the interpreter of the rules.

use rand::RngExt;

use super::{
    error::{PlayError, SheetError},
    state::GameState,
};
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

/// Runs a random playout from the initial state. Returns the number of its steps and the goal of
/// each role. `name` returns the name of a role.
///
/// # Errors
/// Returns an error for a nonterminal state in which a role has no legal action, a terminal state
/// in which a role other than `chance` has no goal or several, or more than `horizon` steps.
pub fn play_out(
    engine: &mut (impl GameEngine + ?Sized),
    chance: Option<usize>,
    name: impl Fn(usize) -> String,
    horizon: usize,
    rng: &mut Rng,
) -> Result<(usize, Vec<u8>), PlayError> {
    let roles = 0..engine.roles();
    engine.look_at(&engine.initial());
    let mut legal = Vec::new();
    let mut steps = 0;
    while !engine.is_terminal() {
        let mut joint = Vec::new();
        for role in roles.clone() {
            engine.legal(role, &mut legal);
            if legal.is_empty() {
                let role = name(role);
                return Err(PlayError::Stuck { role, steps });
            }
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        if steps == horizon {
            return Err(PlayError::Endless { steps });
        }
        engine.step(&joint);
        steps += 1;
    }
    let goal = |role| {
        let goals = engine.goals(role);
        if goals.len() != 1 && Some(role) != chance {
            return Err(PlayError::Goals {
                role: name(role),
                steps,
                found: goals.len(),
            });
        }
        Ok(goals.first().copied().unwrap_or(0))
    };
    let goals: Result<_, PlayError> = roles.map(goal).collect();
    Ok((steps, goals?))
}
