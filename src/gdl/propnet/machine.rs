//! Evaluation of one state at a time: terminal, goals, legal actions, successors.

use super::circuit::Wire;
use super::compile::{Needs, Propnet};
use super::lanes::LaneValues;
use super::playout::{PlayoutRows, PlayoutStart, Playouts};
use crate::engine::{GameEngine, play_out_each};
use crate::error::SheetError;
use crate::state::GameState;
use mineflow_rng::Rng;

/// The number of words in a large batch; each word has 64 playouts. Among 1, 2, 4 and 8, this value
/// was the fastest or at most 20 % slower than the fastest on all games.
const WIDE: usize = 4;

/// An engine that evaluates a propositional network. Each new state costs one evaluation of the
/// network. Batches run 64 or 256 playouts at once.
pub struct Machine<'n> {
    lanes: LaneValues<'n, 1>,
    narrow: Option<Playouts<'n, 1>>,
    wide: Option<Playouts<'n, WIDE>>,
}

impl<'n> Machine<'n> {
    /// Returns a machine whose current state is the initial state.
    pub fn new(net: &'n Propnet) -> Self {
        let mut machine = Self {
            lanes: LaneValues::new(net),
            narrow: None,
            wide: None,
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

    fn play_out_all(
        &mut self,
        starts: &[PlayoutStart<'_>],
        horizon: usize,
        rng: &mut Rng,
        rows: &mut PlayoutRows,
    ) {
        let net = self.lanes.net;
        let is_sound = if starts.len() <= 64 {
            let narrow = &mut self.narrow;
            let playouts = narrow.get_or_insert_with(|| Playouts::new(net, horizon));
            playouts.rows(starts, horizon, rng, rows)
        } else {
            let wide = &mut self.wide;
            let playouts = wide.get_or_insert_with(|| Playouts::new(net, horizon));
            playouts.rows(starts, horizon, rng, rows)
        };
        if !is_sound {
            play_out_each(self, starts, horizon, rng, rows);
        }
    }

    fn fault(&self) -> Option<SheetError> {
        None
    }
}
