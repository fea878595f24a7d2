//! The states that follow others by many joint moves, a lane each: one evaluation of the network for 64 of them.

use super::circuit::Wire;
use super::compile::Propnet;
use super::lanes::{LaneValues, lanes_of};
use crate::gdl::state::GameState;

/// Lanes of an evaluation.
const LANES: usize = 64;

/// The joint moves from a state in which one role does each of its legal actions, and every other the first of its own.
#[derive(Clone, Copy, Debug)]
pub struct Moves<'a> {
    pub state: &'a GameState,
    /// Of each role, one action at least.
    pub legal: &'a [Vec<usize>],
    /// None: every role does its first action.
    pub role: Option<usize>,
}

impl Moves<'_> {
    fn count(&self) -> usize {
        self.role.map_or(1, |role| self.legal[role].len())
    }
}

/// A state that follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Successor {
    pub state: GameState,
    /// The goal of each role, 0 to 100, if the state is terminal; 0 for a role without one.
    pub goals: Option<Box<[u8]>>,
    /// The legal actions of each role, rising.
    pub legal: Box<[Vec<usize>]>,
}

/// Evaluates the joint moves of states.
pub struct Successors<'n> {
    lanes: LaneValues<'n, 1>,
}

impl<'n> Successors<'n> {
    pub fn new(net: &'n Propnet) -> Self {
        Self { lanes: LaneValues::new(net) }
    }

    /// What follows by each of `moves`, in their order.
    pub fn of(&mut self, moves: Moves<'_>) -> Vec<Successor> {
        let mut found = Vec::with_capacity(moves.count());
        self.evaluate_all(&[moves], |this, lanes| {
            let mut legal: Vec<Box<[Vec<usize>]>> = vec![vec![Vec::new(); this.lanes.net.roles()].into(); lanes];
            for (role, moves) in this.lanes.net.moves.iter().enumerate() {
                for (action, &(wire, _)) in moves.iter().enumerate() {
                    lanes_of(this.lanes.read(wire)).take_while(|&lane| lane < lanes).for_each(|lane| {
                        legal[lane][role].push(action);
                    });
                }
            }
            found.extend(legal.into_iter().enumerate().map(|(lane, legal)| Successor {
                state: this.lanes.state(lane),
                goals: this.goals(lane),
                legal,
            }));
        });
        found
    }

    /// The goals after each of `moves`, state by state, as in [`Successor::goals`].
    pub fn goals_of(&mut self, moves: &[Moves<'_>]) -> Vec<Option<Box<[u8]>>> {
        let mut found = Vec::new();
        self.evaluate_all(moves, |this, lanes| found.extend((0..lanes).map(|lane| this.goals(lane))));
        found
    }

    /// Calls `done` with the number of lanes that hold what follows, time after time.
    fn evaluate_all(&mut self, moves: &[Moves<'_>], mut done: impl FnMut(&Self, usize)) {
        let places = moves.iter().enumerate().flat_map(|(of, moves)| (0..moves.count()).map(move |place| (of, place)));
        let lanes: Vec<(usize, usize)> = places.collect();
        for lanes in lanes.chunks(LANES) {
            self.evaluate(moves, lanes);
            done(self, lanes.len());
        }
    }

    /// Leaves what follows in a lane each, with terminal, legal actions and goals. A lane is the place of a state, and that of
    /// an action of the role that moves.
    fn evaluate(&mut self, moves: &[Moves<'_>], lanes: &[(usize, usize)]) {
        let net = self.lanes.net;
        (0..net.fluents()).for_each(|fluent| self.lanes.set(1 + fluent, [0]));
        let mut first = 0;
        for of_state in lanes.chunk_by(|one, other| one.0 == other.0) {
            let mask = (u64::MAX >> (LANES - of_state.len())) << first;
            moves[of_state[0].0].state.holding().for_each(|fluent| self.lanes.raise(1 + fluent, [mask]));
            first += of_state.len();
        }
        self.lanes.evaluate_moves();
        for (_, does) in net.moves.iter().flatten() {
            if let Some(does) = does {
                self.lanes.set(*does, [0]);
            }
        }
        for (lane, &(of, place)) in lanes.iter().enumerate() {
            let Moves { legal, role, .. } = moves[of];
            for (of_role, legal) in legal.iter().enumerate() {
                let action = legal[if role == Some(of_role) { place } else { 0 }];
                if let (_, Some(does)) = net.moves[of_role][action] {
                    self.lanes.raise(does, [1 << lane]);
                }
            }
        }
        self.lanes.evaluate_next();
        self.lanes.advance();
        self.lanes.evaluate_moves();
        if self.lanes.read(net.terminal)[0] & u64::MAX >> (LANES - lanes.len()) != 0 {
            self.lanes.evaluate_goals();
        }
    }

    /// The goals of a lane whose state is terminal.
    fn goals(&self, lane: usize) -> Option<Box<[u8]>> {
        let net = self.lanes.net;
        let holds = |wire: Wire| self.lanes.read(wire)[0] >> lane & 1 == 1;
        let goal = |goals: &[(u8, Wire)]| goals.iter().find(|&&(_, wire)| holds(wire)).map_or(0, |&(points, _)| points);
        holds(net.terminal).then(|| net.goals.iter().map(|goals| goal(goals)).collect())
    }
}
