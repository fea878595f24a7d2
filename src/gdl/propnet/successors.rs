//! The states that follow one state by many joint moves, a lane each: one evaluation of the network for 64 of them.

use super::compile::Propnet;
use super::lanes::LaneValues;
use crate::gdl::state::GameState;

/// Lanes of an evaluation.
const LANES: usize = 64;

/// A state that follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Successor {
    pub state: GameState,
    /// The goal of each role, 0 to 100, if the state is terminal; 0 for a role without one.
    pub goals: Option<Box<[u8]>>,
}

/// Evaluates the joint moves of a state.
pub struct Successors<'n> {
    lanes: LaneValues<'n, 1>,
}

impl<'n> Successors<'n> {
    pub fn new(net: &'n Propnet) -> Self {
        Self { lanes: LaneValues::new(net) }
    }

    /// What follows `state` by each of `joints`, an action of each role.
    pub fn of(&mut self, state: &GameState, joints: &[Vec<usize>]) -> Vec<Successor> {
        let mut found = Vec::with_capacity(joints.len());
        for joints in joints.chunks(LANES) {
            self.evaluate(state, joints);
            found.extend((0..joints.len()).map(|lane| self.successor(lane)));
        }
        found
    }

    /// Leaves the state after each joint move in the lane of its place, with terminal and goals.
    fn evaluate(&mut self, state: &GameState, joints: &[Vec<usize>]) {
        let net = self.lanes.net;
        for fluent in 0..net.fluents() {
            self.lanes.set(1 + fluent, [if state.holds(fluent) { u64::MAX } else { 0 }]);
        }
        self.lanes.evaluate_moves();
        for (_, does) in net.moves.iter().flatten() {
            if let Some(does) = does {
                self.lanes.set(*does, [0]);
            }
        }
        for (lane, joint) in joints.iter().enumerate() {
            for (moves, &action) in net.moves.iter().zip(joint) {
                if let (_, Some(does)) = moves[action] {
                    self.lanes.raise(does, lane);
                }
            }
        }
        self.lanes.evaluate_next();
        self.lanes.advance();
        self.lanes.evaluate_moves();
        if self.lanes.read(net.terminal) != [0] {
            self.lanes.evaluate_goals();
        }
    }

    fn successor(&self, lane: usize) -> Successor {
        let net = self.lanes.net;
        let holds = |wire| self.lanes.read(wire)[0] >> lane & 1 == 1;
        let goal = |goals: &[(u8, _)]| goals.iter().find(|&&(_, wire)| holds(wire)).map_or(0, |&(points, _)| points);
        let goals = holds(net.terminal).then(|| net.goals.iter().map(|goals| goal(goals)).collect());
        Successor { state: self.lanes.state(lane), goals }
    }
}
