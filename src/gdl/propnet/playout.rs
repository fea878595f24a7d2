//! Random playouts in parallel, one per lane. When the playout of a lane ends, the next playout
//! starts in this lane.

use super::choice::UniformChoice;
use super::compile::{Needs, Propnet};
use super::lanes::{LaneValues, Words, lanes_of};
use crate::error::PlayError;
use crate::grounding::Grounding;
use crate::state::GameState;
use mineflow_rng::Rng;

/// The state from which a playout starts, and conditions on the playout.
#[derive(Clone, Copy, Debug)]
pub struct PlayoutStart<'s> {
    pub state: &'s GameState,
    /// A role and its legal action in the first step. All other roles, including chance, choose
    /// randomly. With `None`, all roles choose randomly.
    pub first: Option<(usize, usize)>,
    /// The number of steps taken before the start. These steps count towards the horizon.
    pub taken: usize,
}

impl<'s> From<&'s GameState> for PlayoutStart<'s> {
    fn from(state: &'s GameState) -> Self {
        Self {
            state,
            first: None,
            taken: 0,
        }
    }
}

/// The outcome of a playout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutEnd<'a> {
    /// The index of the playout among the starts.
    pub index: usize,
    /// The number of steps from the playout's start to its end.
    pub steps: usize,
    /// Whether the playout reached a terminal state; otherwise it was cut off at the horizon.
    pub terminal: bool,
    /// The goal of each role, 0 to 100; 0 for all if the playout was cut off.
    pub goals: &'a [u8],
}

/// The results of playouts, one for each start.
#[derive(Clone, Default, Debug)]
pub struct PlayoutRows {
    /// The goals of all roles divided by 100, one row per start.
    pub rewards: Vec<f64>,
}

impl PlayoutRows {
    /// Sets the rewards to one row of zeros for each of `starts` playouts.
    pub(crate) fn clear(&mut self, starts: usize, roles: usize) {
        self.rewards.clear();
        self.rewards.resize(starts * roles, 0.0);
    }
}

/// A runner of random playouts, in which every role, including `random`, chooses uniformly among
/// its legal actions. `64 * W` playouts run at once. `W` affects the results only through the
/// assignment of random numbers to playouts.
pub struct Playouts<'n, const W: usize> {
    lanes: LaneValues<'n, W>,
    horizon: usize,
    /// For each lane, the current playout and the number of its steps so far.
    running: Vec<Option<Running>>,
    /// The actions of the current step that are given rather than drawn.
    fixed: Vec<Fixed>,
    choice: UniformChoice<W>,
    goals: Vec<u8>,
}

/// The given action of a role in a lane.
struct Fixed {
    lane: usize,
    role: usize,
    action: usize,
}

#[derive(Clone, Copy)]
struct Running {
    index: usize,
    steps: usize,
    /// The number of steps after which the playout is cut off.
    most: usize,
    first: Option<(usize, usize)>,
}

impl<'n, const W: usize> Playouts<'n, W> {
    /// Builds a runner of playouts that are cut off after `horizon` steps.
    pub fn new(net: &'n Propnet, horizon: usize) -> Self {
        Self {
            lanes: LaneValues::new(net),
            horizon,
            running: vec![None; 64 * W],
            fixed: Vec::new(),
            choice: UniformChoice::new(),
            goals: Vec::new(),
        }
    }

    /// Runs one playout from each of `starts` and calls `done` when a playout ends. The order of
    /// the calls is unspecified, but deterministic for a given generator.
    ///
    /// # Errors
    /// Returns an error for a nonterminal state in which a role has no legal action, or a terminal
    /// state in which a player (not `random`) has no goal or several. Unfinished playouts are
    /// discarded.
    pub fn run<'s, S: Into<PlayoutStart<'s>>>(
        &mut self,
        starts: impl IntoIterator<Item = S>,
        rng: &mut Rng,
        mut done: impl FnMut(PlayoutEnd<'_>),
    ) -> Result<(), Breakdown> {
        let mut starts = starts.into_iter().map(Into::into).enumerate();
        for lane in 0..64 * W {
            self.take(lane, &mut starts);
        }
        self.lanes.advance();
        while self.running.iter().any(Option::is_some) {
            self.lanes.evaluate(Needs::MOVES, Needs::NOTHING);
            let ended = self.end(&mut done)?;
            self.fixed.clear();
            let mut going = [0; W];
            for (lane, running) in self.running.iter_mut().enumerate() {
                if let Some(running) = running
                    && ended[lane / 64] >> (lane % 64) & 1 == 0
                {
                    if let Some((role, action)) = running.first.take() {
                        self.fixed.push(Fixed { lane, role, action });
                    }
                    running.steps += 1;
                    going[lane / 64] |= 1 << (lane % 64);
                }
            }
            for role in 0..self.lanes.net.roles() {
                self.choose(role, going, rng)?;
            }
            self.lanes.evaluate_next(Needs::MOVES);
            for lane in lanes_of(ended) {
                self.take(lane, &mut starts);
            }
            self.lanes.advance();
        }
        Ok(())
    }

    /// Runs one playout from each of `starts` and writes the rewards into `rows`. Returns whether
    /// no playout failed.
    pub(crate) fn rows(
        &mut self,
        starts: &[PlayoutStart<'_>],
        horizon: usize,
        rng: &mut Rng,
        rows: &mut PlayoutRows,
    ) -> bool {
        let net = self.lanes.net;
        self.horizon = horizon;
        rows.clear(starts.len(), net.roles());
        let note = |end: PlayoutEnd<'_>| {
            let row = &mut rows.rewards[end.index * net.roles()..][..net.roles()];
            row.iter_mut()
                .zip(end.goals)
                .for_each(|(reward, &points)| *reward = f64::from(points) / 100.0);
        };
        self.run(starts.iter().copied(), rng, note).is_ok()
    }

    /// Assigns the next playout to a lane.
    fn take<'s>(
        &mut self,
        lane: usize,
        starts: &mut impl Iterator<Item = (usize, PlayoutStart<'s>)>,
    ) {
        self.running[lane] = starts.next().map(|(index, start)| {
            self.lanes.restart(lane, start.state);
            Running {
                index,
                steps: 0,
                most: self.horizon.saturating_sub(start.taken),
                first: start.first,
            }
        });
    }

    /// Reports all finished playouts and returns their lanes.
    fn end(&mut self, done: &mut impl FnMut(PlayoutEnd<'_>)) -> Result<Words<W>, Breakdown> {
        let terminal = self.lanes.read(self.lanes.net.terminal);
        let mut ended = [0; W];
        for (lane, running) in self.running.iter().enumerate() {
            if let Some(running) = running {
                let over =
                    terminal[lane / 64] >> (lane % 64) & 1 == 1 || running.steps >= running.most;
                ended[lane / 64] |= u64::from(over) << (lane % 64);
            }
        }
        if ended == [0; W] {
            return Ok(ended);
        }
        self.lanes.evaluate(Needs::GOALS, Needs::MOVES);
        for lane in lanes_of(ended) {
            let Some(Running { index, steps, .. }) = self.running[lane] else {
                continue;
            };
            let terminal = terminal[lane / 64] >> (lane % 64) & 1 == 1;
            self.goals.clear();
            for (role, goals) in self.lanes.net.goals.iter().enumerate() {
                let holds = |wire| self.lanes.read(wire)[lane / 64] >> (lane % 64) & 1 == 1;
                let mut given = goals
                    .iter()
                    .filter(|&&(_, wire)| holds(wire))
                    .map(|&(points, _)| points);
                let found = given.clone().count();
                if terminal && found != 1 && Some(role) != self.lanes.net.chance {
                    return Err(Breakdown {
                        role,
                        steps,
                        state: self.lanes.state(lane),
                        goals: Some(found),
                    });
                }
                self.goals
                    .push(given.next().filter(|_| terminal).unwrap_or(0));
            }
            done(PlayoutEnd {
                index,
                steps,
                terminal,
                goals: &self.goals,
            });
        }
        Ok(ended)
    }

    /// Makes a role choose an action in each lane of `going`.
    fn choose(&mut self, role: usize, going: Words<W>, rng: &mut Rng) -> Result<(), Breakdown> {
        let net = self.lanes.net;
        let moves = &net.moves[role];
        let drawing = self.fixed.iter().filter(|fixed| fixed.role == role).fold(
            going,
            |mut words: Words<W>, fixed| {
                words[fixed.lane / 64] &= !(1 << (fixed.lane % 64));
                words
            },
        );
        let mut any = [0; W];
        let mut several = [0; W];
        for &(legal, _) in moves {
            let legal = self.lanes.read(legal);
            for word in 0..W {
                let legal = legal[word] & drawing[word];
                several[word] |= any[word] & legal;
                any[word] |= legal;
            }
        }
        if let Some(lane) =
            lanes_of::<W>(std::array::from_fn(|word| drawing[word] & !any[word])).next()
        {
            let steps = self.running[lane].map_or(0, |running| running.steps - 1);
            return Err(Breakdown {
                role,
                steps,
                state: self.lanes.state(lane),
                goals: None,
            });
        }
        self.choice.clear();
        for &(legal, does) in moves {
            let Some(does) = does else { continue };
            let legal = self.lanes.read(legal);
            self.lanes.set(
                does,
                std::array::from_fn(|word| legal[word] & drawing[word] & !several[word]),
            );
            let options = std::array::from_fn(|word| legal[word] & several[word]);
            if options != [0; W] {
                self.choice.offer(does, options);
            }
        }
        self.choice
            .choose(several, rng, |does, lane| self.lanes.raise_one(does, lane));
        for &Fixed { lane, action, .. } in self.fixed.iter().filter(|fixed| fixed.role == role) {
            if let Some(does) = moves[action].1 {
                self.lanes.raise_one(does, lane);
            }
        }
        Ok(())
    }
}

/// A state that a valid sheet never reaches: a role has no legal action, or a player does not have
/// exactly one goal at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Breakdown {
    pub role: usize,
    /// The number of steps since the start of the playout.
    pub steps: usize,
    pub state: GameState,
    /// The number of the role's goals in a terminal state; `None` if the role has no legal action.
    pub goals: Option<usize>,
}

impl Breakdown {
    /// Returns the corresponding error, with the name of the role.
    pub fn error(&self, grounding: &Grounding) -> PlayError {
        let role = grounding.role_name(self.role);
        let steps = self.steps;
        match self.goals {
            Some(found) => PlayError::Goals { role, steps, found },
            None => PlayError::Stuck { role, steps },
        }
    }
}
