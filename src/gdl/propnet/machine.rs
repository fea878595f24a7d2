//! Evaluation of one state at a time: terminal, goals, legal actions, successors.

use super::compile::{Needs, Propnet};
use super::lanes::LaneValues;
use crate::state::GameState;

/// An evaluator of one state at a time. Each new state costs one evaluation of the network.
pub struct Machine<'n> {
    lanes: LaneValues<'n, 1>,
}

impl<'n> Machine<'n> {
    /// Returns a machine whose current state is the initial state.
    pub fn new(net: &'n Propnet) -> Self {
        let mut machine = Self {
            lanes: LaneValues::new(net),
        };
        machine.look_at(net.initial());
        machine
    }

    /// Makes `state` the current state.
    pub fn look_at(&mut self, state: &GameState) {
        self.lanes.restart(0, state);
        self.lanes.advance();
        self.lanes.evaluate(Needs::MOVES, Needs::NOTHING);
    }

    /// Returns the current state.
    pub fn state(&self) -> GameState {
        self.lanes.state(0)
    }

    /// Returns whether the current state is terminal.
    pub fn is_terminal(&self) -> bool {
        self.holds(self.lanes.net.terminal)
    }

    /// Returns the legal actions of a role.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = usize> {
        let moves = self.lanes.net.moves[role].iter().enumerate();
        moves
            .filter(|&(_, &(legal, _))| self.holds(legal))
            .map(|(action, _)| action)
    }

    /// Returns all goals of a role in the current state. In a terminal state of a valid sheet there
    /// is exactly one goal.
    pub fn goals(&mut self, role: usize) -> Vec<u8> {
        self.lanes.evaluate(Needs::GOALS, Needs::MOVES);
        let goals = self.lanes.net.goals[role].iter();
        goals
            .filter(|&&(_, wire)| self.holds(wire))
            .map(|&(points, _)| points)
            .collect()
    }

    /// Moves to the state that follows when each role takes its action in `joint`.
    pub fn step(&mut self, joint: &[usize]) {
        let net = self.lanes.net;
        for (moves, &done) in net.moves.iter().zip(joint) {
            for (action, &(_, does)) in moves.iter().enumerate() {
                if let Some(does) = does {
                    self.lanes.set(does, [u64::from(action == done)]);
                }
            }
        }
        self.lanes.evaluate_next(Needs::MOVES);
        self.lanes.advance();
        self.lanes.evaluate(Needs::MOVES, Needs::NOTHING);
    }

    fn holds(&self, wire: super::circuit::Wire) -> bool {
        self.lanes.read(wire)[0] & 1 == 1
    }
}
