//! The states that follow others by many joint moves, a lane each: one evaluation of the network for 64 or 256 of them.

use super::circuit::Wire;
use super::compile::{Needs, Propnet};
use super::lanes::{LaneValues, Words, lanes_of};
use crate::state::GameState;

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

/// Words of 64 lanes where there are many moves.
const WIDE: usize = 4;

/// Evaluates the joint moves of states.
pub struct Successors<'n> {
    narrow: LaneValues<'n, 1>,
    wide: LaneValues<'n, WIDE>,
}

impl<'n> Successors<'n> {
    pub fn new(net: &'n Propnet) -> Self {
        Self { narrow: LaneValues::new(net), wide: LaneValues::new(net) }
    }

    /// What follows by each of `moves`, in their order.
    pub fn of(&mut self, moves: Moves<'_>) -> Vec<Successor> {
        let mut found = Vec::with_capacity(moves.count());
        self.narrow.follow_all(&[moves], Needs::MOVES, |lanes, count| {
            let mut legal: Vec<Box<[Vec<usize>]>> = vec![vec![Vec::new(); lanes.net.roles()].into(); count];
            for (role, moves) in lanes.net.moves.iter().enumerate() {
                for (action, &(wire, _)) in moves.iter().enumerate() {
                    let of_lanes = lanes_of(lanes.read(wire)).take_while(|&lane| lane < count);
                    of_lanes.for_each(|lane| legal[lane][role].push(action));
                }
            }
            let next = |(lane, legal)| Successor { state: lanes.state(lane), goals: lanes.goals(lane), legal };
            found.extend(legal.into_iter().enumerate().map(next));
        });
        found
    }

    /// The goals after each of `moves`, state by state, as in [`Successor::goals`].
    pub fn goals_of(&mut self, moves: &[Moves<'_>]) -> Vec<Option<Box<[u8]>>> {
        let count: usize = moves.iter().map(Moves::count).sum();
        if count <= 64 { self.narrow.goals_of(moves) } else { self.wide.goals_of(moves) }
    }
}

impl<const W: usize> LaneValues<'_, W> {
    /// As [`Successors::goals_of`].
    fn goals_of(&mut self, moves: &[Moves<'_>]) -> Vec<Option<Box<[u8]>>> {
        let mut found = Vec::new();
        self.follow_all(moves, Needs::TERMINAL, |lanes, count| {
            found.extend((0..count).map(|lane| lanes.goals(lane)));
        });
        found
    }

    /// Calls `done` with what follows by each of `moves` in the first lanes, and how many these are, time after time.
    fn follow_all(&mut self, moves: &[Moves<'_>], wanted: Needs, mut done: impl FnMut(&Self, usize)) {
        let places = moves.iter().enumerate().flat_map(|(of, moves)| (0..moves.count()).map(move |place| (of, place)));
        let places: Vec<(usize, usize)> = places.collect();
        for places in places.chunks(64 * W) {
            self.follow(moves, places, wanted);
            done(self, places.len());
        }
    }

    /// Leaves what follows in a lane each, with what is `wanted` of it, terminal at least, and goals. `places` are that of a
    /// state, and that of an action of the role that moves.
    fn follow(&mut self, moves: &[Moves<'_>], places: &[(usize, usize)], wanted: Needs) {
        let net = self.net;
        (0..net.fluents()).for_each(|fluent| self.set(1 + fluent, [0; W]));
        let mut first = 0;
        for of_state in places.chunk_by(|one, other| one.0 == other.0) {
            let lanes = lanes_between(first, first + of_state.len());
            moves[of_state[0].0].state.holding().for_each(|fluent| self.raise(1 + fluent, lanes));
            first += of_state.len();
        }
        for (_, does) in net.moves.iter().flatten() {
            if let Some(does) = does {
                self.set(*does, [0; W]);
            }
        }
        for (lane, &(of, place)) in places.iter().enumerate() {
            let Moves { legal, role, .. } = moves[of];
            for (of_role, legal) in legal.iter().enumerate() {
                let action = legal[if role == Some(of_role) { place } else { 0 }];
                if let (_, Some(does)) = net.moves[of_role][action] {
                    self.raise_one(does, lane);
                }
            }
        }
        self.evaluate_next(Needs::NOTHING);
        self.advance();
        self.evaluate(wanted, Needs::NOTHING);
        let used = lanes_between::<W>(0, places.len());
        if self.read(net.terminal).iter().zip(used).any(|(terminal, used)| terminal & used != 0) {
            self.evaluate(Needs::GOALS, wanted);
        }
    }

    /// The goals of a lane whose state is terminal.
    fn goals(&self, lane: usize) -> Option<Box<[u8]>> {
        let holds = |wire: Wire| self.read(wire)[lane / 64] >> (lane % 64) & 1 == 1;
        let goal = |goals: &[(u8, Wire)]| goals.iter().find(|&&(_, wire)| holds(wire)).map_or(0, |&(points, _)| points);
        holds(self.net.terminal).then(|| self.net.goals.iter().map(|goals| goal(goals)).collect())
    }
}

/// The lanes from the first, and before the last.
fn lanes_between<const W: usize>(first: usize, last: usize) -> Words<W> {
    let below = |lane: usize, word: usize| match lane.saturating_sub(64 * word) {
        64.. => u64::MAX,
        lanes => (1 << lanes) - 1,
    };
    std::array::from_fn(|word| below(last, word) & !below(first, word))
}
