//! Evaluation of one state at a time: terminal, goals, legal actions, successors.

use super::{
    circuit::Wire,
    compile::{Needs, Propnet},
};
use crate::{engine::GameEngine, error::SheetError, state::GameState};

/// An engine that evaluates a propositional network. Each new state costs one evaluation of the
/// network.
pub struct Machine<'n> {
    net: &'n Propnet,
    /// The value of each slot.
    values: Vec<bool>,
    /// The fluents of the next state.
    next: Vec<bool>,
}

impl<'n> Machine<'n> {
    /// Returns a machine whose current state is the initial state.
    pub fn new(net: &'n Propnet) -> Self {
        let mut machine = Self {
            net,
            values: vec![false; net.slots],
            next: vec![false; net.fluents()],
        };
        machine.look_at(net.initial());
        machine
    }

    /// Makes the next state, which has been computed, the current state.
    fn advance(&mut self) {
        self.values[1..=self.next.len()].copy_from_slice(&self.next);
        self.evaluate(Needs::MOVES, Needs::NOTHING);
    }

    fn holds(&self, wire: Wire) -> bool {
        self.values[wire.node()] != wire.is_inverted()
    }

    /// Evaluates the outputs `wanted` of the current state. The outputs `done` must have been
    /// evaluated before.
    fn evaluate(&mut self, wanted: Needs, done: Needs) {
        let net = self.net;
        let segments = net.segments.iter();
        for segment in
            segments.filter(|segment| segment.needs.meets(wanted) && !segment.needs.meets(done))
        {
            for (slot, _) in &segment.feedback {
                self.values[*slot] = false;
            }
            loop {
                let gates = &net.gates[segment.start..segment.end];
                for (slot, &[one, other]) in (net.first_gate + segment.start..).zip(gates) {
                    self.values[slot] = self.holds(one) & self.holds(other);
                }
                let mut changed = false;
                for &(slot, wire) in &segment.feedback {
                    let now = self.holds(wire);
                    changed |= now != self.values[slot];
                    self.values[slot] = now;
                }
                if !changed {
                    break;
                }
            }
        }
    }
}

impl GameEngine for Machine<'_> {
    fn roles(&self) -> usize {
        self.net.roles()
    }

    fn initial(&self) -> GameState {
        self.net.initial().clone()
    }

    fn look_at(&mut self, state: &GameState) {
        for (fluent, next) in self.next.iter_mut().enumerate() {
            *next = state.holds(fluent);
        }
        self.advance();
    }

    fn state(&self) -> GameState {
        GameState::new(self.next.len(), |fluent| self.values[1 + fluent])
    }

    fn is_terminal(&mut self) -> bool {
        self.holds(self.net.terminal)
    }

    fn legal(&mut self, role: usize, actions: &mut Vec<usize>) {
        actions.clear();
        let moves = &self.net.moves[role];
        actions.extend((0..moves.len()).filter(|&action| self.holds(moves[action].0)));
    }

    fn goals(&mut self, role: usize) -> Vec<u8> {
        self.evaluate(Needs::GOALS, Needs::MOVES);
        let goals = self.net.goals[role].iter();
        goals
            .filter(|&&(_, wire)| self.holds(wire))
            .map(|&(points, _)| points)
            .collect()
    }

    fn step(&mut self, joint: &[usize]) {
        for (moves, &done) in self.net.moves.iter().zip(joint) {
            for (action, &(_, does)) in moves.iter().enumerate() {
                if let Some(does) = does {
                    self.values[does] = action == done;
                }
            }
        }
        self.evaluate(Needs::NEXT, Needs::MOVES);
        for (fluent, &wire) in self.net.next.iter().enumerate() {
            self.next[fluent] = self.holds(wire);
        }
        self.advance();
    }

    fn fault(&self) -> Option<SheetError> {
        None
    }
}
