//! The UCT search: descents, playouts and backing up.

use rand::RngExt;

use super::{
    settings::UctSettings,
    tree::{End, NodeId, Tree, WayStep},
};
use crate::player::{
    arms::to_sample,
    explored::{Explored, PathStep},
    walk::GameWalk,
};
use mineflow_rng::Rng;

/// A UCT player that adds one new state per playout. Each state has one node, whichever path
/// reaches it. Later moves reuse the tree.
pub struct UctPlayer<'n> {
    pub(super) walk: GameWalk<'n>,
    pub(super) settings: UctSettings,
    pub(super) tree: Tree,
    pub(super) moves: u64,
    pub(super) samples: u64,
    /// The number of descents that ended in an explored state.
    pub(super) met_explored: u64,
}

impl<'n> UctPlayer<'n> {
    /// Creates a player with an empty tree.
    pub fn new(walk: GameWalk<'n>, settings: UctSettings) -> Self {
        let chance = walk.chance;
        Self {
            tree: Tree::new(settings.most_nodes, chance),
            walk,
            settings,
            moves: 0,
            samples: 0,
            met_explored: 0,
        }
    }

    /// Returns the number of states in the tree.
    pub fn states(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Descends from the root to a state of known value, which is returned, or to a state from which
    /// a playout starts. The walk is then in that state.
    fn descend(
        &mut self,
        root: NodeId,
        explored: &Explored,
        rng: &mut Rng,
    ) -> (Vec<WayStep>, Option<End>) {
        let mut way: Vec<WayStep> = Vec::new();
        let mut at = root;
        // The node of the walk's current state, if it is known.
        let mut looked_at = None;
        loop {
            if let Some(end) = self.end_of(at, way.is_empty(), explored) {
                return (way, Some(end));
            }
            let step = WayStep {
                node: at,
                places: self.choose_arms(at, rng),
            };
            if let Some(next) = self.tree.nodes[at as usize].next(&step.places) {
                way.push(step);
                at = next;
                continue;
            }
            let node = &self.tree.nodes[at as usize];
            if looked_at != Some(at) {
                self.walk.look_at(&node.state);
            }
            let action = |role: usize| node.arms[role][step.places[role] as usize].action;
            self.walk.step(|role| Some(action(role)), rng);
            let state = self.walk.state();
            if let Some(next) = self.tree.find(&state) {
                self.tree.link(&step, next);
                way.push(step);
                (at, looked_at) = (next, Some(next));
                continue;
            }
            let end = if self.walk.is_terminal() {
                Some(End {
                    rewards: self.walk.rewards().into(),
                    explored: false,
                })
            } else {
                End::explored(&state, explored)
            };
            if let Some(next) = self.tree.add(&self.walk, state, end.clone()) {
                self.tree.link(&step, next);
            }
            way.push(step);
            return (way, end);
        }
    }

    /// Stores the exact value at the last arm of the path, if that arm alone determines the next
    /// state.
    fn note_known(&mut self, way: &[WayStep], end: &End) {
        let Some(WayStep { node, places }) = way.last() else {
            return;
        };
        let node = &mut self.tree.nodes[*node as usize];
        let mut open = (0..node.arms.len()).filter(|&role| node.arms[role].len() > 1);
        if let (Some(role), None) = (open.next(), open.next())
            && Some(role) != self.walk.chance
        {
            node.arms[role][places[role] as usize]
                .known
                .get_or_insert_with(|| end.rewards.clone());
        }
    }

    /// Returns the exact value of a state, if it is known. At the root, the cache of explored
    /// leaves is ignored.
    fn end_of(&self, node: NodeId, at_root: bool, explored: &Explored) -> Option<End> {
        let node = &self.tree.nodes[node as usize];
        let known = || End::explored(&node.state, explored).filter(|_| !at_root);
        node.end.clone().or_else(known)
    }

    /// Chooses an action for each role in a state and returns its index.
    fn choose_arms(&self, at: NodeId, rng: &mut Rng) -> Box<[u32]> {
        let arms = &self.tree.nodes[at as usize].arms;
        let mut sample = |role: usize| match Some(role) == self.walk.chance {
            true => 0,
            false => to_sample(&arms[role], role, self.settings.explore, rng) as u32,
        };
        let mut places: Box<[u32]> = (0..arms.len()).map(&mut sample).collect();
        if let Some(chance) = self.walk.chance {
            places[chance] = rng.random_range(0..arms[chance].len()) as u32;
        }
        places
    }

    /// Converts a path of the tree to the form that the cache of explored leaves uses.
    fn path(&self, way: &[WayStep]) -> Vec<PathStep> {
        let step = |WayStep { node, places }: &WayStep| {
            let node = &self.tree.nodes[*node as usize];
            PathStep {
                state: node.state.clone(),
                counts: node.arms.iter().map(Vec::len).collect(),
                taken: places.iter().map(|&place| place as usize).collect(),
            }
        };
        way.iter().map(step).collect()
    }

    /// Runs one descent and one playout, which reads and fills the cache of explored leaves. A descent
    /// that ends in a state of known value counts as a playout without steps.
    pub(super) fn iterate(&mut self, root: NodeId, explored: &mut Explored, rng: &mut Rng) {
        let (way, end) = self.descend(root, explored, rng);
        let path = self.path(&way);
        if let Some(end) = end {
            self.note_known(&way, &end);
            self.met_explored += u64::from(end.explored);
            explored.note(&path, &end.rewards);
            self.tree.add_playout(&way, &end.rewards);
        } else {
            self.walk.came_by(path);
            self.tree
                .add_playout(&way, self.walk.playout(explored, rng));
        }
    }
}
