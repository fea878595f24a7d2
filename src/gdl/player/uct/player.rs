//! The UCT player: how long it searches, and which action it takes.

use super::{search::UctPlayer, tree::NodeId};
use crate::{
    player::{GdlPlayer, MoveBudget, PlayerEffort, arms::ActionArm, explored::Explored},
    state::GameState,
};
use mineflow_rng::Rng;
use mineflow_search::{Spending, bandit::any_of_best};

impl UctPlayer<'_> {
    /// Returns the action to take at the root: the argmax of the mean, with ties broken by the
    /// number of playouts.
    fn take(&self, root: NodeId, role: usize, rng: &mut Rng) -> usize {
        let arms = &self.tree.nodes[root as usize].arms[role];
        let mean = |arm: &ActionArm| {
            if arm.visits == 0 {
                f64::NEG_INFINITY
            } else {
                arm.mean(role)
            }
        };
        arms[any_of_best(arms.iter().map(|arm| (mean(arm), arm.visits)), rng)].action
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
        let mut spending = Spending::new(budget.into());
        if self.tree.is_full() {
            self.tree.clear();
        }
        let root = self
            .tree
            .find(state)
            .or_else(|| self.tree.add(&self.walk, state.clone(), None));
        let root = root.expect("a tree that is not full has room");
        while !spending.is_over() && explored.value(state).is_none() {
            self.iterate(root, explored, rng);
            spending.add_playouts(1);
        }
        self.moves += 1;
        self.samples += spending.playouts();
        if let Some(best) = self.walk.explored_action(state, role, explored) {
            return best;
        }
        if self.tree.nodes[root as usize].end.is_some() {
            return self.walk.any_action(role, rng);
        }
        self.take(root, role, rng)
    }

    fn effort(&self) -> PlayerEffort {
        let explored = self.met_explored + self.walk.met_explored();
        PlayerEffort {
            moves: self.moves,
            samples: self.samples,
            explored,
            ..PlayerEffort::default()
        }
    }
}
