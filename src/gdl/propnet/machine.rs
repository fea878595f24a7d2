//! Evaluation of one state at a time: terminal, goals, legal actions, successors.

use super::circuit::Wire;
use super::compile::{Needs, Propnet};
use super::lanes::LaneValues;
use crate::engine::GameEngine;
use crate::error::SheetError;
use crate::state::GameState;

/// An engine that evaluates a propositional network. Each new state costs one evaluation of the
/// network.
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

    /// Makes the next state, which has been computed, the current state.
    fn advance(&mut self) {
        self.lanes.advance();
        self.lanes.evaluate(Needs::MOVES, Needs::NOTHING);
    }

    fn holds(&self, wire: Wire) -> bool {
        self.lanes.read(wire)[0] & 1 == 1
    }
}

impl GameEngine for Machine<'_> {
    fn roles(&self) -> usize {
        self.lanes.net.roles()
    }

    fn initial(&self) -> GameState {
        self.lanes.net.initial().clone()
    }

    fn look_at(&mut self, state: &GameState) {
        self.lanes.restart(0, state);
        self.advance();
    }

    fn state(&self) -> GameState {
        self.lanes.state(0)
    }

    fn is_terminal(&mut self) -> bool {
        self.holds(self.lanes.net.terminal)
    }

    fn legal(&mut self, role: usize, actions: &mut Vec<usize>) {
        actions.clear();
        let moves = &self.lanes.net.moves[role];
        actions.extend((0..moves.len()).filter(|&action| self.holds(moves[action].0)));
    }

    fn goals(&mut self, role: usize) -> Vec<u8> {
        self.lanes.evaluate(Needs::GOALS, Needs::MOVES);
        let goals = self.lanes.net.goals[role].iter();
        goals
            .filter(|&&(_, wire)| self.holds(wire))
            .map(|&(points, _)| points)
            .collect()
    }

    fn step(&mut self, joint: &[usize]) {
        let net = self.lanes.net;
        for (moves, &done) in net.moves.iter().zip(joint) {
            for (action, &(_, does)) in moves.iter().enumerate() {
                if let Some(does) = does {
                    self.lanes.set(does, [u64::from(action == done)]);
                }
            }
        }
        self.lanes.evaluate_next(Needs::MOVES);
        self.advance();
    }

    fn fault(&self) -> Option<SheetError> {
        None
    }
}
