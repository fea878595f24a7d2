//! UCT for several players: each role follows its own upper confidence bounds, chance its distribution (Kocsis and
//! Szepesvari 2006; for several players Sturtevant, "An analysis of UCT in multi-player games", ICGA Journal 31, 2008).
//!
//! Statistics belong to states, whichever way they were reached. A playout that meets an explored state ends there with
//! its value.

use std::collections::HashMap;

use super::arms::{ActionArm, to_sample, to_take};
use super::explored::Explored;
use super::walk::GameWalk;
use super::{GdlPlayer, MoveBudget, PlayerEffort};
use crate::gdl::propnet::Propnet;
use crate::gdl::state::GameState;
use crate::rng::Rng;
use crate::search::Spending;

/// UCT with the constant of UCB1 and one new state a playout.
pub struct UctPlayer<'n> {
    walk: GameWalk<'n>,
    nodes: HashMap<GameState, Vec<Vec<ActionArm>>>,
    most_nodes: usize,
    moves: u64,
    samples: u64,
}

impl<'n> UctPlayer<'n> {
    /// A player with an empty tree of at most `most_nodes` states.
    pub fn new(net: &'n Propnet, chance: Option<usize>, horizon: usize, most_nodes: usize) -> Self {
        Self::over(GameWalk::new(net, chance, horizon), most_nodes)
    }

    /// The same over any engine.
    pub fn over(walk: GameWalk<'n>, most_nodes: usize) -> Self {
        Self { walk, nodes: HashMap::new(), most_nodes, moves: 0, samples: 0 }
    }

    fn iterate(&mut self, root: &GameState, explored: &mut Explored, rng: &mut Rng) {
        self.walk.look_at(root);
        let mut way: Vec<(GameState, Vec<Option<usize>>)> = Vec::new();
        loop {
            let state = self.walk.state();
            let at_root = way.is_empty();
            if self.walk.is_terminal() || !at_root && explored.value(&state).is_some() {
                break;
            }
            let Some(arms) = self.nodes.get(&state) else {
                if self.nodes.len() < self.most_nodes {
                    let roles = self.walk.roles();
                    let list =
                        |role| self.walk.legal(role).iter().map(|&action| ActionArm::new(action, roles)).collect();
                    self.nodes.insert(state, (0..roles).map(list).collect());
                    if at_root {
                        continue;
                    }
                }
                break;
            };
            let chance = self.walk.chance;
            let places: Vec<Option<usize>> = arms
                .iter()
                .enumerate()
                .map(|(role, arms)| (Some(role) != chance).then(|| to_sample(arms, role, rng)))
                .collect();
            self.walk.step(|role| places[role].map(|place| arms[role][place].action), rng);
            way.push((state, places));
        }
        let rewards = self.walk.playout(explored, rng);
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

impl GdlPlayer for UctPlayer<'_> {
    fn choose(
        &mut self,
        state: &GameState,
        role: usize,
        budget: MoveBudget,
        explored: &mut Explored,
        rng: &mut Rng,
    ) -> usize {
        if let Some(only) = self.walk.only_action(state, role) {
            return only;
        }
        if self.nodes.len() >= self.most_nodes {
            self.nodes.clear();
        }
        let mut spending = Spending::new(budget.into());
        while !spending.is_over() && explored.value(state).is_none() {
            self.iterate(state, explored, rng);
            spending.add_playout();
        }
        self.moves += 1;
        self.samples += spending.playouts();
        if let Some(best) = self.walk.explored_action(state, role, explored) {
            return best;
        }
        match self.nodes.get(state) {
            Some(arms) => arms[role][to_take(&arms[role], role, rng)].action,
            None => self.walk.any_action(role, rng),
        }
    }

    fn effort(&self) -> PlayerEffort {
        let (moves, samples, explored) = (self.moves, self.samples, self.walk.met_explored());
        PlayerEffort { moves, samples, explored, ..PlayerEffort::default() }
    }
}
