//! All states of a game, each valued after those that follow it (R. Tarjan: Depth-First Search and Linear Graph Algorithms.
//! SIAM Journal on Computing 1, 1972).

use std::collections::HashMap;

use super::Unsolved;
use super::backup::{Backup, Moves};
use crate::engine::GameEngine;
use crate::error::PlayError;
use crate::state::GameState;

/// Rounds over states that lead back to one another go on until no value, in points, changes by more; and this many at most.
const NO_CHANGE: f64 = 1e-12;
const MOST_ROUNDS: usize = 1_000_000;

pub(super) struct Walk<'e, 'n> {
    engine: &'e mut dyn GameEngine,
    chance: Option<usize>,
    name: &'n dyn Fn(usize) -> String,
    backup: Backup,
    numbers: HashMap<GameState, u32>,
    /// Of each state by its number, [`Backup::len`] values.
    table: Vec<f64>,
    /// Of each state the lowest number that a way from it leads to, among states whose component is still open.
    lowest: Vec<u32>,
    /// States whose component is open, in the order in which they were found; and which they are.
    open: Vec<(u32, Option<Moves>)>,
    is_open: Vec<bool>,
}

/// A state on the way of the walk.
struct Visit {
    number: u32,
    /// The state after each joint move, and how many of them were looked at.
    next: Vec<GameState>,
    seen: usize,
    counts: Box<[u16]>,
    numbers: Vec<u32>,
}

impl<'e, 'n> Walk<'e, 'n> {
    pub(super) fn new(
        engine: &'e mut dyn GameEngine,
        chance: Option<usize>,
        backup: Backup,
        name: &'n dyn Fn(usize) -> String,
    ) -> Self {
        let (numbers, table, lowest, open, is_open) = Default::default();
        Self { engine, chance, name, backup, numbers, table, lowest, open, is_open }
    }

    pub(super) fn states(&self) -> usize {
        self.lowest.len()
    }

    /// Walks over all states; returns the values of the first one.
    pub(super) fn all(&mut self, most_states: usize) -> Result<Vec<Vec<f64>>, Unsolved> {
        let initial = self.engine.initial();
        let mut way = vec![self.visit(initial, 0)?];
        while let Some(visit) = way.last_mut() {
            if let Some(state) = visit.next.get(visit.seen) {
                visit.seen += 1;
                if let Some(&known) = self.numbers.get(state) {
                    visit.numbers.push(known);
                    if self.is_open[known as usize] {
                        let lowest = &mut self.lowest[visit.number as usize];
                        *lowest = known.min(*lowest);
                    }
                    continue;
                }
                if self.states() >= most_states {
                    return Err(Unsolved::TooLarge { most: most_states });
                }
                visit.numbers.push(self.lowest.len() as u32);
                let (state, depth) = (state.clone(), way.len());
                way.push(self.visit(state, depth)?);
                continue;
            }
            let Visit { number, counts, numbers, .. } = way.pop().expect("it is the last");
            let lowest = self.lowest[number as usize];
            if let Some(before) = way.last() {
                let lowest_before = &mut self.lowest[before.number as usize];
                *lowest_before = lowest.min(*lowest_before);
            }
            if !counts.is_empty() {
                let at = self.open.iter().rposition(|&(open, _)| open == number).expect("its component is open");
                self.open[at].1 = Some(Moves { counts, next: numbers.into() });
            }
            if lowest == number {
                self.close(number);
            }
        }
        Ok(self.backup.rows(0, &self.table))
    }

    /// Gives a state its number and looks at what follows; the values of a terminal one are its goals.
    fn visit(&mut self, state: GameState, steps: usize) -> Result<Visit, Unsolved> {
        let Self { engine, backup, .. } = self;
        let number = self.lowest.len() as u32;
        engine.look_at(&state);
        self.numbers.insert(state.clone(), number);
        self.lowest.push(number);
        self.is_open.push(true);
        self.open.push((number, None));
        let roles = engine.roles();
        let (mut next, mut counts) = (Vec::new(), Vec::new());
        if engine.is_terminal() {
            let mut goals = Vec::with_capacity(roles);
            for role in 0..roles {
                let found = engine.goals(role);
                if found.len() != 1 && Some(role) != self.chance {
                    let role = (self.name)(role);
                    return Err(PlayError::Goals { role, steps, found: found.len() }.into());
                }
                goals.push(f64::from(found.first().copied().unwrap_or(0)));
            }
            (0..backup.pairings()).for_each(|_| self.table.extend(&goals));
        } else {
            self.table.resize(self.table.len() + backup.len(), 0.0);
            let mut joints = vec![Vec::new()];
            let mut legal = Vec::new();
            for role in 0..roles {
                engine.legal(role, &mut legal);
                if legal.is_empty() {
                    return Err(PlayError::Stuck { role: (self.name)(role), steps }.into());
                }
                counts.push(legal.len() as u16);
                let longer = |joint: &Vec<usize>| -> Vec<Vec<usize>> {
                    legal.iter().map(|&action| [joint.as_slice(), &[action]].concat()).collect()
                };
                joints = joints.iter().flat_map(longer).collect();
            }
            for joint in joints {
                engine.look_at(&state);
                engine.step(&joint);
                next.push(engine.state());
            }
        }
        if let Some(fault) = engine.fault() {
            return Err(fault.into());
        }
        Ok(Visit { number, next, seen: 0, counts: counts.into(), numbers: Vec::new() })
    }

    /// Values the states of a component, `first` being the first found.
    fn close(&mut self, first: u32) {
        let Self { backup, table, open, is_open, .. } = self;
        let at = open.iter().rposition(|&(number, _)| number == first).expect("it is open");
        let states: Vec<(u32, Option<Moves>)> = open.drain(at..).collect();
        states.iter().for_each(|&(number, _)| is_open[number as usize] = false);
        let rounds = if states.len() == 1 { 1 } else { MOST_ROUNDS };
        for pairing in 0..backup.pairings() {
            for _ in 0..rounds {
                let mut change: f64 = 0.0;
                for (number, moves) in states.iter().rev() {
                    if let Some(moves) = moves {
                        change = change.max(backup.value(pairing, *number, moves, table));
                    }
                }
                if change < NO_CHANGE {
                    break;
                }
            }
        }
    }
}
