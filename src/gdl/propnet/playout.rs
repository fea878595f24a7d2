//! Random playouts in parallel, one per lane. When the playout of a lane ends, the next playout
//! starts in this lane.

use rand::Rng as _;

use super::compile::{Needs, Propnet};
use super::lanes::{LaneValues, Words, is_set, lanes_of};
use crate::error::PlayError;
use crate::grounding::Grounding;
use mineflow_rng::Rng;

/// The outcome of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutEnd<'a> {
    /// The number of steps from the playout's start to its end.
    pub steps: usize,
    /// Whether the playout reached a terminal state; otherwise it was cut off at the horizon.
    pub terminal: bool,
    /// The goal of each role, 0 to 100; 0 for all if the playout was cut off.
    pub goals: &'a [u8],
}

/// A runner of random playouts from the initial state, in which every role, including `random`,
/// chooses uniformly among its legal actions. `64 * W` playouts run at once. `W` affects the
/// results only through the assignment of random numbers to playouts.
pub struct Playouts<'n, const W: usize> {
    grounding: &'n Grounding,
    lanes: LaneValues<'n, W>,
    horizon: usize,
    /// For each lane with a playout, the number of steps so far.
    steps: Vec<Option<usize>>,
}

impl<'n, const W: usize> Playouts<'n, W> {
    /// Builds a runner of playouts that are cut off after `horizon` steps.
    pub fn new(grounding: &'n Grounding, net: &'n Propnet, horizon: usize) -> Self {
        Self {
            grounding,
            lanes: LaneValues::new(net),
            horizon,
            steps: vec![None; 64 * W],
        }
    }

    /// Runs `count` playouts and calls `done` when one ends. The order of the calls is unspecified,
    /// but deterministic for a given generator.
    ///
    /// # Errors
    /// Returns an error for a nonterminal state in which a role has no legal action, or a terminal
    /// state in which a player (not `random`) has no goal or several. Unfinished playouts are
    /// discarded.
    pub fn run(
        &mut self,
        mut count: usize,
        rng: &mut Rng,
        mut done: impl FnMut(PlayoutEnd<'_>),
    ) -> Result<(), PlayError> {
        for lane in 0..64 * W {
            self.start(lane, &mut count);
        }
        self.lanes.advance();
        while self.steps.iter().any(Option::is_some) {
            self.lanes.evaluate(Needs::MOVES, Needs::NOTHING);
            let ended = self.end(&mut done)?;
            let mut going = [0; W];
            for (lane, steps) in self.steps.iter_mut().enumerate() {
                if let Some(steps) = steps.as_mut().filter(|_| !is_set(ended, lane)) {
                    *steps += 1;
                    going[lane / 64] |= 1 << (lane % 64);
                }
            }
            for role in 0..self.lanes.net.roles() {
                self.choose(role, going, rng)?;
            }
            self.lanes.evaluate_next(Needs::MOVES);
            for lane in lanes_of(ended) {
                self.start(lane, &mut count);
            }
            self.lanes.advance();
        }
        Ok(())
    }

    /// Starts the next of `left` playouts in a lane.
    fn start(&mut self, lane: usize, left: &mut usize) {
        self.steps[lane] = left.checked_sub(1).map(|rest| {
            *left = rest;
            self.lanes.restart(lane, self.lanes.net.initial());
            0
        });
    }

    /// Reports all finished playouts and returns their lanes.
    fn end(&mut self, done: &mut impl FnMut(PlayoutEnd<'_>)) -> Result<Words<W>, PlayError> {
        let net = self.lanes.net;
        let terminal = self.lanes.read(net.terminal);
        let mut ended = [0; W];
        for (lane, steps) in self.steps.iter().enumerate() {
            let is_over = |steps| steps >= self.horizon || is_set(terminal, lane);
            ended[lane / 64] |= u64::from(steps.is_some_and(is_over)) << (lane % 64);
        }
        if ended == [0; W] {
            return Ok(ended);
        }
        self.lanes.evaluate(Needs::GOALS, Needs::MOVES);
        for lane in lanes_of(ended) {
            let steps = self.steps[lane].unwrap_or_default();
            let terminal = is_set(terminal, lane);
            let mut points = Vec::new();
            for (role, goals) in net.goals.iter().enumerate() {
                let holds = |&&(_, wire): &&(u8, _)| is_set(self.lanes.read(wire), lane);
                let mut given = goals.iter().filter(holds).map(|&(points, _)| points);
                let found = given.clone().count();
                if terminal && found != 1 && Some(role) != net.chance {
                    let role = self.grounding.role_name(role);
                    return Err(PlayError::Goals { role, steps, found });
                }
                points.push(given.next().filter(|_| terminal).unwrap_or(0));
            }
            done(PlayoutEnd {
                steps,
                terminal,
                goals: &points,
            });
        }
        Ok(ended)
    }

    /// Makes a role choose an action in each lane of `going`.
    fn choose(&mut self, role: usize, going: Words<W>, rng: &mut Rng) -> Result<(), PlayError> {
        let moves = &self.lanes.net.moves[role];
        let mut any = [0; W];
        let mut several = [0; W];
        for &(legal, _) in moves {
            let legal = self.lanes.read(legal);
            for word in 0..W {
                let legal = legal[word] & going[word];
                several[word] |= any[word] & legal;
                any[word] |= legal;
            }
        }
        let stuck: Words<W> = std::array::from_fn(|word| going[word] & !any[word]);
        if let Some(lane) = lanes_of(stuck).next() {
            let role = self.grounding.role_name(role);
            let steps = self.steps[lane].map_or(0, |steps| steps - 1);
            return Err(PlayError::Stuck { role, steps });
        }
        let mut options = Vec::new();
        for &(legal, does) in moves {
            let Some(does) = does else { continue };
            let legal = self.lanes.read(legal);
            let only = std::array::from_fn(|word| legal[word] & going[word] & !several[word]);
            self.lanes.set(does, only);
            options.push((does, legal));
        }
        for lane in lanes_of(several) {
            let is_legal = |(_, legal): &&(usize, Words<W>)| is_set(*legal, lane);
            let mut legal = options.iter().filter(is_legal);
            let place = below(rng, legal.clone().count());
            if let Some(&(does, _)) = legal.nth(place) {
                self.lanes.raise_one(does, lane);
            }
        }
        Ok(())
    }
}

/// Returns a random number below `bound`, uniform up to a relative error of `bound / 2^64`.
fn below(rng: &mut Rng, bound: usize) -> usize {
    ((u128::from(rng.next_u64()) * bound as u128) >> 64) as usize
}
