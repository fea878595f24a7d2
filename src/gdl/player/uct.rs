//! UCT for several players: each role follows its own upper confidence bounds, chance its distribution (Kocsis and
//! Szepesvari 2006; for several players Sturtevant, "An analysis of UCT in multi-player games", ICGA Journal 31, 2008).
//!
//! Statistics belong to states, whichever way they were reached. A play-out that meets an explored state ends there with
//! its value.

use std::collections::HashMap;

use rand::RngExt;

use super::arms::{ActionArm, to_sample, to_take};
use super::explored::Explored;
use super::table::Table;
use super::{Budget, Effort, Player, Spending};
use crate::gdl::propnet::Propnet;
use crate::gdl::state::State;
use crate::rng::Rng;

/// UCT with the constant of UCB1 and one new state a play-out.
pub struct Uct<'n> {
    table: Table<'n>,
    nodes: HashMap<State, Vec<Vec<ActionArm>>>,
    most_nodes: usize,
    moves: u64,
    samples: u64,
}

impl<'n> Uct<'n> {
    /// A player with an empty tree of at most `most_nodes` states.
    pub fn new(net: &'n Propnet, chance: Option<usize>, horizon: usize, most_nodes: usize) -> Self {
        Self { table: Table::new(net, chance, horizon), nodes: HashMap::new(), most_nodes, moves: 0, samples: 0 }
    }

    fn iterate(&mut self, root: &State, explored: &mut Explored, rng: &mut Rng) {
        self.table.look_at(root);
        let mut way: Vec<(State, Vec<Option<usize>>)> = Vec::new();
        loop {
            let state = self.table.state();
            let at_root = way.is_empty();
            if self.table.is_terminal() || !at_root && explored.value(&state).is_some() {
                break;
            }
            let Some(arms) = self.nodes.get(&state) else {
                if self.nodes.len() < self.most_nodes {
                    let roles = self.table.roles();
                    let list =
                        |role| self.table.legal(role).iter().map(|&action| ActionArm::new(action, roles)).collect();
                    self.nodes.insert(state, (0..roles).map(list).collect());
                    if at_root {
                        continue;
                    }
                }
                break;
            };
            let chance = self.table.chance;
            let places: Vec<Option<usize>> = arms
                .iter()
                .enumerate()
                .map(|(role, arms)| (Some(role) != chance).then(|| to_sample(arms, role, rng)))
                .collect();
            self.table.step(|role| places[role].map(|place| arms[role][place].action), rng);
            way.push((state, places));
        }
        let rewards = self.table.play_out(explored, rng);
        for (state, places) in way {
            let node = self.nodes.get_mut(&state).expect("the way leads through nodes");
            for (arms, place) in node.iter_mut().zip(places) {
                if let Some(place) = place {
                    arms[place].add(rewards);
                }
            }
        }
    }
}

impl Player for Uct<'_> {
    fn choose(&mut self, state: &State, role: usize, budget: Budget, explored: &mut Explored, rng: &mut Rng) -> usize {
        self.table.look_at(state);
        if let [only] = self.table.legal(role)[..] {
            return only;
        }
        if self.nodes.len() >= self.most_nodes {
            self.nodes.clear();
        }
        let mut spending = Spending::new(budget);
        while !spending.is_over() && explored.value(state).is_none() {
            self.iterate(state, explored, rng);
            spending.samples += 1;
        }
        self.moves += 1;
        self.samples += spending.samples;
        self.table.look_at(state);
        if self.table.choosers().eq([role])
            && let Some(best) = explored.best(state)
        {
            return self.table.legal(role)[best];
        }
        match self.nodes.get(state) {
            Some(arms) => arms[role][to_take(&arms[role], role, rng)].action,
            None => self.table.legal(role)[rng.random_range(0..self.table.legal(role).len())],
        }
    }

    fn effort(&self) -> Effort {
        let (moves, samples, explored) = (self.moves, self.samples, self.table.met_explored());
        Effort { moves, samples, explored, ..Effort::default() }
    }
}
