//! The player: how long it searches, and which action it takes.

use super::search::UctPlayer;
use super::tree::NodeId;
use crate::player::arms::ActionArm;
use crate::player::explored::Explored;
use crate::player::{GdlPlayer, MoveBudget, PlayerEffort};
use crate::state::GameState;
use mineflow_rng::Rng;
use mineflow_search::Spending;
use mineflow_search::bandit::any_of_best;

impl UctPlayer<'_> {
    /// The place of a state: anywhere in the tree, or where each way has its own, right after the last root.
    fn place_of(&self, state: &GameState) -> Option<NodeId> {
        if self.settings.transpositions { self.tree.find(state) } else { self.tree.follower(self.root?, state) }
    }

    /// Whether a state is proven as a whole.
    fn is_proven(&self, node: NodeId) -> bool {
        let bounds = self.tree.nodes[node as usize].bounds;
        self.prover.as_ref().is_some_and(|prover| prover.proven(bounds, self.walk.roles()).is_some())
    }

    /// The action to take at the root: of those that are proven best or may be better the highest mean, where GRAVE samples
    /// the most playouts.
    fn take(&self, root: NodeId, role: usize, rng: &mut Rng) -> usize {
        let node = &self.tree.nodes[root as usize];
        let most_playouts = self.settings.grave > 0;
        let mean = |arm: &ActionArm| if arm.visits == 0 { f64::NEG_INFINITY } else { arm.mean(role) };
        let mut arms: Vec<&ActionArm> = node.arms[role].iter().collect();
        if let Some(proofs) = &node.proofs {
            arms = proofs.candidates(role, &node.arms[role], most_playouts);
        }
        let order = |arm: &&ActionArm| if most_playouts { (f64::from(arm.visits), 0) } else { (mean(arm), arm.visits) };
        arms[any_of_best(arms.iter().map(order), rng)].action
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
        let only = self.walk.only_action(state, role);
        self.root = self.place_of(state);
        if let Some(only) = only {
            return only;
        }
        let Self { settings, tree, .. } = self;
        if !settings.keep_tree || tree.is_full() || self.root.is_none() && !settings.transpositions {
            tree.clear();
            self.root = None;
        }
        let root = self.root.or_else(|| self.tree.add(&self.walk, state.clone(), None));
        let root = *self.root.insert(root.expect("a tree that is not full has room"));
        let mut unused = Explored::new(self.walk.chance, 0);
        let explored = if self.uses_cache() { explored } else { &mut unused };
        let mut spending = Spending::new(budget.into());
        while !spending.is_over() && explored.value(state).is_none() && !self.is_proven(root) {
            let made = match budget {
                _ if self.settings.batches.lanes == 1 => {
                    self.iterate(root, explored, rng);
                    1
                }
                MoveBudget::Playouts(all) => self.iterate_in_lanes(root, all - spending.playouts(), explored, rng),
                MoveBudget::Time(_) => self.iterate_in_lanes(root, u64::MAX, explored, rng),
            };
            (0..made).for_each(|_| spending.add_playout());
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
        PlayerEffort { moves: self.moves, samples: self.samples, explored, ..PlayerEffort::default() }
    }
}
