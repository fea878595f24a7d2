//! The common interface of the engines: the propositional network and the interpreter of the rules.

use rand::RngExt;

use super::error::{PlayError, SheetError};
use super::propnet::{Machine, PlayoutRows, PlayoutStart, Playouts, Propnet};
use super::state::GameState;
use mineflow_rng::Rng;

/// A game engine with one current state. The numbers of roles, actions and states have the same
/// meaning only among engines of the same origin: one [`Propnet`] or one [`super::RuleTable`].
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
    /// Returns all goals of a role in the current state.
    fn goals(&mut self, role: usize) -> Vec<u8>;
    /// Moves to the state that follows when each role takes its action in `joint`.
    fn step(&mut self, joint: &[usize]);
    /// Runs one random playout from each of `starts`, cut off after `horizon` steps, and replaces
    /// the contents of `rows` with the results, in the order of `starts`. All roles get 0 in a
    /// playout that is cut off, or in which a role has no legal action. The result depends only on
    /// the generator, not on earlier calls; how random numbers are assigned to starts depends on
    /// the engine. The current state is unspecified afterwards.
    fn play_out_all(
        &mut self,
        starts: &[PlayoutStart<'_>],
        horizon: usize,
        rng: &mut Rng,
        rows: &mut PlayoutRows,
    ) {
        play_out_each(self, starts, horizon, rng, rows);
    }
    /// Returns the engine's permanent fault, if there is one. After a fault, all states are
    /// terminal and have no goals.
    fn fault(&self) -> Option<SheetError>;
}

/// The number of words in a large batch; each word has 64 playouts. Among 1, 2, 4 and 8, this value
/// was the fastest or at most 20 % slower than the fastest on all games.
const WIDE: usize = 4;

/// An engine that evaluates a propositional network. Batches run 64 or 256 playouts at once.
pub struct NetEngine<'n> {
    net: &'n Propnet,
    machine: Machine<'n>,
    narrow: Option<Playouts<'n, 1>>,
    wide: Option<Playouts<'n, WIDE>>,
}

impl<'n> NetEngine<'n> {
    /// Returns an engine whose current state is the initial state.
    pub fn new(net: &'n Propnet) -> Self {
        Self {
            net,
            machine: Machine::new(net),
            narrow: None,
            wide: None,
        }
    }
}

impl GameEngine for NetEngine<'_> {
    fn roles(&self) -> usize {
        self.net.roles()
    }

    fn initial(&self) -> GameState {
        self.net.initial().clone()
    }

    fn look_at(&mut self, state: &GameState) {
        self.machine.look_at(state);
    }

    fn state(&self) -> GameState {
        self.machine.state()
    }

    fn is_terminal(&mut self) -> bool {
        self.machine.is_terminal()
    }

    fn legal(&mut self, role: usize, actions: &mut Vec<usize>) {
        actions.clear();
        actions.extend(self.machine.legal(role));
    }

    fn goals(&mut self, role: usize) -> Vec<u8> {
        self.machine.goals(role)
    }

    fn step(&mut self, joint: &[usize]) {
        self.machine.step(joint);
    }

    fn play_out_all(
        &mut self,
        starts: &[PlayoutStart<'_>],
        horizon: usize,
        rng: &mut Rng,
        rows: &mut PlayoutRows,
    ) {
        let Self {
            net, narrow, wide, ..
        } = self;
        let sound = if starts.len() <= 64 {
            narrow
                .get_or_insert_with(|| Playouts::new(net, horizon))
                .rows(starts, horizon, rng, rows)
        } else {
            wide.get_or_insert_with(|| Playouts::new(net, horizon))
                .rows(starts, horizon, rng, rows)
        };
        if !sound {
            play_out_each(self, starts, horizon, rng, rows);
        }
    }

    fn fault(&self) -> Option<SheetError> {
        None
    }
}

/// Runs playouts step by step, one after the other.
fn play_out_each(
    engine: &mut (impl GameEngine + ?Sized),
    starts: &[PlayoutStart<'_>],
    horizon: usize,
    rng: &mut Rng,
    rows: &mut PlayoutRows,
) {
    let roles = engine.roles();
    rows.clear(starts.len(), roles);
    for (index, &start) in starts.iter().enumerate() {
        let rewards = &mut rows.rewards[index * roles..][..roles];
        play_out_one(engine, start, horizon, rng, rewards);
    }
}

/// Runs one playout step by step and writes its rewards into `rewards`.
fn play_out_one(
    engine: &mut (impl GameEngine + ?Sized),
    PlayoutStart {
        state,
        first,
        taken,
    }: PlayoutStart<'_>,
    horizon: usize,
    rng: &mut Rng,
    rewards: &mut [f64],
) {
    let roles = engine.roles();
    let horizon = horizon.saturating_sub(taken);
    engine.look_at(state);
    let mut legal = Vec::new();
    let mut joint = Vec::with_capacity(roles);
    for steps in 0..=horizon {
        if engine.is_terminal() {
            for (role, reward) in rewards.iter_mut().enumerate() {
                *reward = f64::from(engine.goals(role).first().copied().unwrap_or(0)) / 100.0;
            }
            return;
        }
        joint.clear();
        for role in 0..roles {
            engine.legal(role, &mut legal);
            match first.filter(|&(of, _)| steps == 0 && of == role) {
                Some((_, action)) => joint.push(action),
                None if legal.is_empty() => break,
                None => joint.push(legal[rng.random_range(0..legal.len())]),
            }
        }
        if joint.len() < roles || steps == horizon {
            return;
        }
        engine.step(&joint);
    }
}

/// The outcome of a random playout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedOut {
    pub steps: usize,
    /// Whether the playout reached a terminal state within the horizon.
    pub terminal: bool,
    /// The goal of each role; 0 for all if the playout was cut off.
    pub goals: Vec<u8>,
}

/// Runs a random playout from the initial state. `chance` is the role that needs no goal; `name`
/// returns the name of a role.
///
/// # Errors
/// Returns an error for a fault of the engine, a nonterminal state in which a role has no legal
/// action, or a terminal state in which a player has no goal or several.
pub fn play_out(
    engine: &mut dyn GameEngine,
    chance: Option<usize>,
    horizon: usize,
    name: &dyn Fn(usize) -> String,
    rng: &mut Rng,
) -> Result<PlayedOut, SheetError> {
    let roles = engine.roles();
    engine.look_at(&engine.initial());
    let mut legal = Vec::new();
    let mut joint = Vec::new();
    for steps in 0..=horizon {
        let terminal = engine.is_terminal();
        if let Some(fault) = engine.fault() {
            return Err(fault);
        }
        if terminal {
            let mut all = Vec::with_capacity(roles);
            for role in 0..roles {
                let goals = engine.goals(role);
                if goals.len() != 1 && Some(role) != chance {
                    return Err(PlayError::Goals {
                        role: name(role),
                        steps,
                        found: goals.len(),
                    }
                    .into());
                }
                all.push(goals.first().copied().unwrap_or(0));
            }
            return engine.fault().map_or(
                Ok(PlayedOut {
                    steps,
                    terminal,
                    goals: all,
                }),
                Err,
            );
        }
        if steps == horizon {
            break;
        }
        joint.clear();
        for role in 0..roles {
            engine.legal(role, &mut legal);
            if legal.is_empty() {
                return Err(PlayError::Stuck {
                    role: name(role),
                    steps,
                }
                .into());
            }
            joint.push(legal[rng.random_range(0..legal.len())]);
        }
        engine.step(&joint);
    }
    Ok(PlayedOut {
        steps: horizon,
        terminal: false,
        goals: vec![0; roles],
    })
}
